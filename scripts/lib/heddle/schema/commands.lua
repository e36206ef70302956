-- The formats of the commands, in the notation of heddle.schema.notation; the member `format` is added to each.
return {
    {name = "heddle-run-2", record = "heddle_result", title = "a run: `heddle run --json FILE`", text = [==[
| one_launch
| several_launches
head: what every run has
format   "heddle-run-2"   this format and its version
heddle   text             the version of heddle
file     text             the kernel's file
board?   board            the machine, if there was one
case?    case             the file's own case, when it was run
ideal?   [ideal]          machines that lack a loss each, with --ideal
copies?  copies           copies between host and board, with --link
uncertainty? uncertainty  what the ranges of the board's values make of the time, with --uncertainty
rates?   rates            what it moved and issued over time, if it was recorded
outputs  [output]         files that were written
sources? [source]         the files that its lines lie in, those that could be read as text
fault    fault|null       what stopped the run
ideal: the same launches on a machine that lacks a loss
name     text             "latency"
without  text             what is left out: "memory latency"
settings text             assignments to the board, with a space between two
cycles   count|null       of all launches there; null: they did not end
gain     number|null      cycles as the board has it, for one there
promised number|null      the gain that advice on this loss gives at most; null: there is none
fault    text|null        the fault, where they did not end
copies: copies over a link
link     text             its name
in       copied           to the board, of buffers with content
out      copied           to the host, of buffers that kernels write
copied: copies one way
bytes    count            their bytes
seconds  number           their time, one after the other
joules   number           their energy
uncertainty: the same launches on draws of the board, each value with a range within its own
draws    count            how many
values   count            values with a range that have a part in the time
cycles   between          of all launches
seconds  between          of all launches
bounds   [drawn_bound]    what bounds the last launch, the most frequent first
between: the least and the most, of the draws and of the board as it stands
low      number           the least
high     number           the most
drawn_bound: a bound
bound    text             the level or the reason
draws    count            draws in which it was the bound
rates: rates over time
from     count            the cycle in which the first window begins
window   count            cycles of a window
tracks   [track]          DRAM read, DRAM write, L2, issue, occupancy
track: one of them
name     text             what it is
unit     text             its unit
values   [number]         a mean for each window
one_launch: a run of one launch
+ head
+ result
several_launches: a run of several launches, as --repeat makes them
+ head
launches [result]         each by itself
total    total            their sum
total: all launches together
launches count            how many
warp_instructions count   their sum
cycles?  count            their sum
overhead_cycles? count    their sum
seconds? number           their sum
board: the machine
name     text             the board's name
values   {keys board_value}  all of its values
peaks    {peaks number}   what follows from them
board_value: a value of a board
value    number|text      a number, or the word of a choice
origin   text             file and line, --set or default
basis?   basis            how the number is known, of every energy
low?     number           range of the number, if one is given
high?    number           its end
case: the case of the file that ran
number   count            which, from 1
of       count            how many the file has
run      text             its first line
expectations expectations|null  null: not checked, as the options changed what they are for
expectations: what the case expects
total    count            how many
met      count            how many of them hold
failed   text             the others, in words
output: a file that was written
name     text             the parameter
file     text             its path
type     text             the element type in the file
shape    [count]          dimensions
source: a source file
file?    text             as lines name it; absent: the file that was run
lines    [text]           its lines
explain: a line lane by lane
line     count            the line
file?    text             of that line, if it is an included one
instructions [explained]  those of the line, or the worst accesses
lanes: columns of an access, if its execution was shown
lanes?   [{number|text}]  by lane: what is read and written, by column
titles?  {text}           columns whose title has a register's name: "new r1" is "new sum"
check: what checkers found, by the names of heddle-run-1
kinds    [text]           the checkers that watched
memory   count            bytes that they took
forgotten count           accesses that they forgot; above 0, findings may be missing
findings [finding]        what they found
]==]},
    {name = "heddle-runs-2", holds = {"run", "diff"},
        title = "a run on several boards: `heddle run --board A,B --json FILE`", text = [==[
heddle   text             the version of heddle
runs     [run]            each a document heddle-run-2
diff     diff             a document heddle-diff-3 that compares them
]==]},
    {name = "heddle-beside-1", holds = {"run"},
        title = "launches at one time on a board: `heddle run --beside ... --json FILE`", text = [==[
heddle   text             the version of heddle
file     text             the first kernel's file
launches [result]         each, with what its SMs counted, as heddle-run-2 has a launch
shared   result           of the board: sums, and what all share
]==]},
    {name = "heddle-shares-1", holds = {"run"},
        title = "a launch that several boards share: `heddle run --boards N --json FILE`", text = [==[
heddle   text             the version of heddle
file     text             the kernel's file
share    text             the parameter that counts rows
rows     count            its value
seconds  number           of all boards: copies and kernel of the one that takes longest, and the exchange
one_board_seconds number  copies and kernel on one board
different count           elements that differ from those of one board; above 0, rows depend on others
link     text|null        of each board to its host
gather   copy|null        the exchange between boards: bytes of the whole
boards   [board]          each
board: one of the boards
first_row count           its first row
rows     count            its number of rows
in       copy             what is copied to it
out      copy             what is copied back
launch   result           as heddle-run-2 has a launch
copy: what goes over a link
bytes    count            of all buffers
seconds  number           one after the other
joules   number           of both ends
]==]},
    {name = "heddle-recording-2", record = "heddle_name_info",
        title = "the first line of a recording: `heddle run --record FILE`", text = [==[
heddle   text             the version of heddle
file     text             the kernel's file
kernel   text             the kernel's name
board?   text             the machine; not after a fault
warp     count            lanes of a warp
cycles   count            of the launch
events   count            lines that follow, an event each (docs/recording.md)
instructions [instruction]  what `pc` counts
names    [name_info]      what the text calls registers, predicates and labels
from     count            the first cycle that is recorded
to       count            the cycle before which the recording ends
command? [text]           the command's words, with which `heddle replay` makes the launch again
of?      of               what the launch follows from
complete? count           the cycle from which on events are missing, for want of room
of: SHA-256 of what the launch follows from
kernel   text             of the kernel's text and instructions
board    text             of all values of the machine
launch   text             of its options and arguments
buffers  {text}           of what each buffer holds before
instruction: an instruction
pc       count            its number in the program
line     count            its line in the source; 0: unknown
file?    text             of that line, if it is an included one
text     text             the instruction as it is written, with the arguments of macros
disassembly text          the same as the disassembler prints it
source   text             `text` by the name of heddle-recording-1
]==]},
    {name = "heddle-replay-1", title = "the first line of an answer: `heddle replay --json FILE`", text = [==[
heddle   text             the version of heddle
recording text            the recording's file
kernel   text             the kernel's name
board?   text             the machine; not after a fault
warp     count            lanes of a warp
cycles   count            of the launch
from     count            the first cycle that was looked at
to       count            the cycle before which that ended
events   count            events, of the warp that was asked for or of all
kinds    {count}          events by kind, those above 0
waits    {stalls count}   cycles that warps wait, by reason, those above 0
complete? count           the cycle from which on events are missing, for want of room
]==]},
    {name = "heddle-board-1", title = "a board: `heddle board NAME --json FILE`", text = [==[
heddle   text             the version of heddle
board    text             its name
device?  text             the memory device that it names
scaled?  [text]           what keys that are a peak, such as dram.gbs, have changed
values   {keys described}  all values
peaks    {peaks peak}     what follows from them
warnings [text]           settings that cap a level below its wire
described: a value of a board
value    number|text      a number, or the word of a choice
unit     text             its unit, may be empty
basis?   basis            how the number is known, of every energy
low?     number           range of the number, if one is given
high?    number           its end
device?  number           what the memory device has, in clocks of the board's memory
origin   text             file and line, --set or default
doc      text             what it is
peak: what follows from the values
value    number           a number
unit     text             its unit
doc      text             what it is
]==]},
    {name = "heddle-memory-1", record = "heddle_replayed",
        title = "a trace through memory alone: `heddle memory replay TRACE --json FILE`", text = [==[
heddle   text             the version of heddle
trace    text             its file
board    text             the board's name
device?  text             the memory device that it names
settings settings         what --set and --device changed
open     bool             requests arrived at the cycles of the trace
result   replayed         what the trace took
]==]},
    {name = "heddle-boards-1", title = "several boards: `heddle board A B --json FILE`", text = [==[
heddle   text             the version of heddle
boards   [text]           their names; every list of values has one for each
values   {keys fact}      values that differ; with --all all of them
peaks    {peaks fact}     what follows from them, likewise
fact: a value of each board
unit     text             its unit, may be empty
values   values           the values
]==]},
    {name = "heddle-board-links-1", title = "links of boards and hosts: `heddle board links --json FILE`", text = [==[
heddle   text             the version of heddle
rows     [link]           each link
link: a link, with its numbers and how each is known
link     text             its name
gbs      number           GB/s of one direction, with headers
gbs_basis text            standard, vendor, ...
data_gbs number           what headers leave of it
latency_us number         from the start of a transfer to its first byte
latency_basis text        how it is known
pj_bit   number           energy of a bit at both ends
pj_basis text             how it is known
doc      text             where its numbers are from
]==]},
    {name = "heddle-board-peaks-1", title = "memory of boards: `heddle board peaks A B --json FILE`", text = [==[
heddle   text             the version of heddle
rows     [memory]         one for each board
memory: the memory of a board
board    text             its name as given
device   text|null        the memory device that it names
parts    number|null      stacks, chips, packages or modules of it
channels number|null      channels
gbs      number|null      data buses of all channels
refreshed_gbs number|null what refreshes leave of it
line_gbs number|null      each line from another row of another bank
row_gbs  number|null      each burst from another row
capacity_gib number|null  what the memory holds
latency_ns number|null    pointer chase into a bank without an open row
energy_pj_byte number|null of DRAM and its controller
full_w   number|null      that energy at the peak
]==]},
    {name = "heddle-diff-3", title = "a comparison of runs: `heddle diff --json FILE`", text = [==[
heddle   text             the version of heddle
same     bool             whether nothing differs
runs     [compared]       the runs; every list of values has one for each, null where it has none
board?   {values}         values of the board that differ, and its name
fault?   [fault|null]     faults, if they differ
unmatched? [count]        launches of each run, if their numbers differ
launches [difference]     those that all have: what differs, and their time
conditions? [condition]   those of --fail-if
condition: a condition
condition text            as it was given
met      [met]            where it is met
met: a launch that meets a condition
run      count            the run, from 0
launch   count            from 1
value    number           its value
limit    number           what it is compared with
base?    number           the value of the first run, if the condition is relative
compared: a run
file     text             where it was read
name     text             what it is called in the comparison
board    text|null        its board's name
changed? {number|text}    what --set changed
difference: what differs between launches
seconds? values           time; there with a clock also when it is the same
cycles?  values           likewise
limiter? values           what bounds it
run?     {values}         kernel, grid, block, warp, caches
counts?  {values}         blocks, warps, instructions
classes? {classes values}  warp-instructions by class
metrics? {metrics values}  counters and what follows
traffic? {{values}}       columns of each buffer
lines?   [line_difference]  instructions that differ
line_difference: an instruction
text     text             the instruction as it is written, with the arguments of macros
disassembly text          the same, disassembled
line     values           its line in each source
rounds?  values           how many rounds of a `.repeat` it is the sum of
warp_instructions values  times issued
cycles   values           cycles that warps waited before it
stall    {stalls values}  the same by reason, those that differ
]==]},
    {name = "heddle-results-1", title = "points of a sweep: `heddle results FILE.db --json FILE`", text = [==[
heddle   text             the version of heddle that wrote it
units?   {text}           units of columns that have one
rows     [{number|text|null}]  a value for each column of the store, or those that were asked for
]==]},
    {name = "heddle-prove-2", record = "heddle_proof", title = "proofs: `heddle prove A B --json FILE`", text = [==[
heddle   text             the version of heddle
files    [text 2]         both programs
proofs   [proof]          one for each warp width
board?   text             its board's name, if --board or --set was given
settings? settings        what --set changed
]==]},
    {name = "heddle-lesson-1", title = "grades of lessons: `heddle lesson [N] --check FILE --json FILE`", text = [==[
heddle   text             the version of heddle
lesson?  count            its number, if one was named
name?    text             its name
passed   count            kernels that have passed
failed   count            kernels that have not
broken   count            kernels that cannot be read
results  [result]         each kernel
result: a kernel
file     text             its file, with the line in a table
student  text             whose it is: the first folder, the column of the table, or the file's name
lesson?  count            the number of its lesson; none if it cannot be known
status   "passed"|"failed"|"broken"  its grade
points   number           for the share of its gates that it passed
prediction?  "right"|"wrong"  the last one, of a line of a hand-in; so are:
attempts?  count          grades that the student asked for
hints_opened?  count      hints that the student saw
version?  text            of the heddle that wrote the line
seed?     text            the name for which sizes and data were drawn
alike?   alike            the hand-in of another student with the most in common
gates    [gate]           what was asked of it, up to the first that it did not pass
gate?    text             the name of that one
reason?  text             why not, in words
hint?    count            the number of the hint that fits
alike: a likeness, a reason to look and no proof
student  text             whose it is
file     text             its file
share    number           of the instructions of both that are not the lesson's own, from 0.8 on
gate: what was asked
name     text             its name
status   "passed"|"failed"  the answer
text?    text             why not, or a remark
]==]},
    {name = "heddle-test-1", title = "cases of kernel files: `heddle test --json FILE`", text = [==[
heddle   text             the version of heddle
passed   count            cases that did what they expect
failed   count            cases that did not
broken   count            cases that could not be run
files    count            files with cases
results  [result]         each case at each warp width
result: a case
file     text             the kernel file
line     count            its line there
case?    count            its number in the file, from 1
name?    text             its kernel or name
warp?    count            lanes of a warp
status   "pass"|"fail"|"broken"  how it ended
seconds  number           of this computer
text?    text             why not, in words
]==]},
    {name = "heddle-voxelize-1", title = "points put into voxels: `heddle voxelize --json FILE`", text = [==[
heddle   text             the version of heddle
command  "voxelize"       the command
output?  text             the .npy file, if one was written
input    cloud            the points
points   points           how many
grid     grid             the voxels
shape    [count]          of the tensor
channels [text]           what they hold
voxels   count            of the grid
occupied count            voxels with points
active   count            voxels that are not zero
density  number           their share
window   "3x3"|"3x3x3"    the kernel of window_share
window_share? number      windows with an active voxel, as a share
warnings [text]           what to know before the tensor is used
cloud: the file of points
name     text             its name
format   text             its format
fields   [text]           its columns
intensity? text           the column that was taken for it
points: how many points
total    count            in the file
used     count            in voxels
not_finite count          skipped: not finite
outside  count            outside of the grid
cropped  count            outside of --crop
rounded  count            below a border by no more than rounding, and counted as on it
most_in_a_voxel count     the most in one voxel
grid: the voxels
low      [number]         least coordinates
high     [number]         greatest coordinates
voxel    [number]         sides of a voxel
cells    [count]          voxels in x, y and z
first    [whole]          coordinates of the first voxel, in voxels
origin   [number]         a voxel is floor((x - origin) / size)
start    [whole]          what that is for the first voxel of the grid
count    [count]          voxels that points span
]==]},
}
