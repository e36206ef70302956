// The parts of the page, in their order.
import { create as board } from "./board.js";
import { create as debug } from "./debugger.js";
import { create as ideal } from "./ideal.js";
import { create as language } from "./language.js";
import { create as lessons } from "./lessons.js";
import { create as masks } from "./masks.js";
import { create as problems } from "./problems.js";
import { create as prove } from "./prove.js";
import { create as registers } from "./registers.js";
import { create as steps } from "./steps.js";
import { create as access } from "./pictures/access.js";
import { create as counters } from "./pictures/counters.js";
import { create as memory } from "./pictures/memory.js";
import { create as roofline } from "./pictures/roofline.js";
import { create as timeline } from "./pictures/timeline.js";
import { create as traffic } from "./pictures/traffic.js";
import { t } from "./words.js";

export const INSIDE = [
  { id: "steps", place: "where-to", create: steps },
  { id: "registers", place: "values", create: registers },
  { id: "masks", place: "values", create: masks }
];

export const LEFT = [
  { id: "problems", title: t`Problems`, create: problems },
  { id: "counters", title: t`Counters`, create: counters },
  { id: "debug", title: t`Debug`, create: debug },
  { id: "lesson", title: t`Lesson`, create: lessons },
  { id: "prove", title: t`Prove`, create: prove },
  { id: "language", title: t`Language`, create: language },
  { id: "board-text", title: t`Board`, create: board }
];

export const RIGHT = [
  { id: "access", title: t`Access`, create: access },
  { id: "memory", title: t`Memory`, create: memory },
  { id: "timeline", title: t`Timeline`, create: timeline },
  { id: "traffic", title: t`Traffic`, create: traffic },
  { id: "roofline", title: t`Roofline`, create: roofline },
  { id: "ideal", title: t`What if`, create: ideal }
];
