// The parts of the page, in the order in which they stand.
import { create as board } from "./board.js";
import { create as masks } from "./masks.js";
import { create as problems } from "./problems.js";
import { create as registers } from "./registers.js";
import { create as steps } from "./steps.js";
import { create as access } from "./pictures/access.js";

export const INSIDE = [{ id: "steps", create: steps }, { id: "registers", create: registers }, { id: "masks", create: masks }];

export const LEFT = [{ id: "problems", title: "Problems", create: problems }, { id: "board-text", title: "Board", create: board }];

export const RIGHT = [{ id: "access", title: "Access", create: access }];
