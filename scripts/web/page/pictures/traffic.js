// Memory traffic: bytes between the levels, then at each level by buffer, as on the page of `heddle report`.
import { panel } from "./report.js";

export const create = panel("memory");
