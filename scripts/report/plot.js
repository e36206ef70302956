// The parts of Observable Plot that charts.js draws with: all that becomes part of plot.min.js.
export {axisX, axisY, barX, cell, dot, gridX, gridY, line, link, plot, rect, ruleX, ruleY, text} from "@observablehq/plot";
