// The speed of light and the roofline, as on the page of `heddle report`.
import { panel } from "./report.js";

export const create = panel("speed");
