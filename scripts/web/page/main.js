// The page. What its parts share is `app`; each part is a module of one function:
//
//   export function create(root, app)     fills the element `root` once, and returns {update(state)}
//
// `update` is called while its panel is open: after each run, each move of the cursor, and when the panel is opened. A part
// of which more than the last call counts can listen by `app.on`. Pictures are pictures/*.js, a row of PICTURES each
// (panels.js); the lessons' panel is lessons.js.
//
//   app.client            the engine, each method a promise (client.js)
//   app.words             kinds of events, stalls, instructions, registers (engine.js)
//   app.lessons           the lessons, {number, name, title, about, kernel, board, html, hints, starter, ask}
//   app.state             below; its parts are replaced, never changed in place
//   app.on(event, f)      "run": a run has ended, "move": the cursor, "edit": the kernel's text, "look": state.program,
//                         "lesson": state.lesson, "theme": light or dark; f(state)
//   app.text()            the kernel as it is in the editor
//   app.load({name, text, lesson})    another kernel into the editor: a lesson's starter, say
//   app.run()             runs it, as the button does; a promise
//   app.move({index, block, warp})    moves the cursor; what is absent stays
//   app.line(number)      marks a line of the editor and scrolls there
//   app.open(id)          opens the panel of a tab: "lesson", "access"
//   app.say(sentence)     what a screen reader hears and the line below the header shows
//
//   state.name, state.lesson        of the kernel in the editor: "kernels/classic/saxpy.hd"; a number or null
//   state.case, state.warp          what to run: "1"; lanes of a warp, 0: the board's
//   state.board                     {name, text, values, peaks, warnings, edited}
//   state.program                   what `look` says of the text as it stands: error, lint, code, names, cases
//   state.result                    of the last run, or null; with source, the text that ran, and program
//   state.record                    its events in short (record.js), or null
//   state.index, state.at           the cursor: so many events have happened; the warp {block, warp} that is looked at
//   state.machine                   registers, masks and stall of that warp there (the engine's `state`), or null
//   state.next                      {index, pc, cycle} of the warp's next issue, or null at its end
//   state.access                    {event, lines: [events]} of the warp's last access before the cursor, or null
//
// Helpers are in dom.js: h, s (SVG), table, wide, number, hex, lanes (of a mask). Colours are tokens of page.css: --s1 to --s8
// for series, --paper, --panel, --ink, --quiet, --line, --link, --bad, --good.
