-- The formats of the studies, in the notation of heddle.schema.notation; the member `format` is added to each.
return {
    {name = "heddle-study-reorder-2", title = "reorders in registers: `heddle study reorder --json FILE`", text = [==[
+ study
input?   text             where the elements are from; this and the next three: without --board
type?    text             their type
shape?   [count]          their shape
elements? count           their number
board?   text             where the input was timed: --in with --board
settings? settings        its changed values
warps?   [by_width]       each warp width, of an input
boards?  [on_board]       each board, with --board
by_width: a warp width, as instructions are counted
warp     count            lanes of a warp
runs     count            reorders of four elements a lane
tail     count            elements that are left over
methods  [counted]        each method
counted: a method
name     text             its name
global   number           accesses to global memory of a reorder; of four at a time, in the mean
setup    number           instructions before the first reorder
measured {number}         instructions of a reorder, by class, likewise
predicted {number}        the same as the description says
total    number           their sum, measured
predicted_total number    their sum, predicted
as_predicted bool         whether all are the same
verified bool             whether the result is the reorder
cycles?  count            of the launch over all runs, on a board
cycles_zeros? count       the same with zeros in place of the data
limiter? text             what bounds it
on_board: a board
board    text             its name
settings settings         changed values
sms      count            its SMs
warps    [timed_width]    each warp width
timed_width: a warp width, timed
warp     count            lanes of a warp
blocks   count            blocks of a launch
warps_of_a_block count    warps of each
methods  [timed]          each method
variants [variant]        the board with other costs
fft      [in_fft]         each method as a step of an FFT
whole?   [whole]          FFTs on the whole board, with --whole
extract  count            latency.xext of the board
push     count            latency.xpush of the board
skipped  [skip]           methods that could not run
claims?  [verdict]        the claims about the reorder; absent with --method
map?     map              where one reorder by transit1 wins, by two latencies; absent with --brief
map: an outcome over two parameters
x        axis             of columns
y        axis             of rows
cells    [[text]]         by row, in each its columns: values of latency.xext
axis: a parameter
name     text             its name
values   [number|text]    its values
timed: a method's cost of a reorder
name     text             its name
through? "none"|"registers"|"shared memory"  where elements pass
barrier? "none"|"warp"|"block"  what it waits for
shared_bytes? count       shared memory of a block
predicted? count          its latency by the formula
in_a_row? number          cycles of one of eight in a row, a single warp
in_a_row_block? number    the same of a block with barriers
instructions number       instructions
address_instructions number  those for addresses
passes   number           passes of shared memory
barriers number           block barriers
warp_barriers number      warp barriers
barrier_wait number       cycles at barriers
latency  number           cycles from the first element to the last, a single warp
latency_unhoisted number  the same with its setup
full     number           cycles of a reorder on a full SM
full_unhoisted number     the same with its setup
energy_nj number          energy in nJ
energy_unhoisted_nj number  the same with its setup
energies {number}         the energy by the board's values
energies_unhoisted {number}  the same with its setup
warps_per_sm number       warps that an SM holds
blocks_by_shared number   blocks that its shared memory holds
limiter  text             what bounds the full SM
variant: the board with other costs
name     text             which
kind     "width"|"board"  whether the board is the same
width?   count            its warp width, if another one
settings settings         what was changed
methods  [timed]          those that it concerns
in_fft: an FFT with this reorder
name     text             the method
cycles   number           cycles of an FFT on a full SM
cycles_kept number        the same when addresses are kept in registers
instructions number       instructions
instructions_kept number  likewise
energy_nj number          energy in nJ
loaded   cost             twiddle factors loaded
loaded_small cost         the same on a small launch
kept     cost             twiddle factors kept in registers
kept_small cost           the same on a small launch
cost: the cost of an FFT
cycles   number           cycles
instructions number       instructions
energy   number           energy in joules
limiter  text             what bounds it
whole: an FFT on the whole board
name     text             the method
cycles   number           cycles of an FFT on one full SM
cycles_board number       cycles of an SM for each on the whole board, until all is written back
cycles_warm number        the same with L2 as the same launch left it
share?   number           what the reorder adds to the 8-byte load, of cycles
share_board? number       the same, of cycles_board
share_warm? number        the same, of cycles_warm
dram_board number         share of cycles_board that DRAM is busy
dram_warm number          the same, of cycles_warm
limiter_board text        what bounds the whole board
limiter_warm text         the same, with L2 warm
skip: a method that could not run
name     text             which
why      text             why not
]==]},
    {name = "heddle-study-mask-2", title = "the packed mask: `heddle study mask --json FILE`", text = [==[
+ study
type     text             of the elements that are filled
fill     text             the value
result   text             type of a packed word
word_bits count           its bits
word_rows count           rows of the mask that share a word
derived  bool             whether the layout is not one that the document publishes
polarity count            the bit that means true
method   text             the method, or all
caches   "cold"|"warm"    at the start of a launch
scale    number           factor of a softmax's scores
masked_row "nan"|"zero"   what a softmax gives in a row that is masked as a whole
input?   [text]           the files, if they were given
sentences? text           where the lengths of padding masks are from
boards   [on_board]       each board
on_board: a board
board    text             its name
settings settings         changed values
warp     count            lanes of a warp
caches?  "cold"|"warm"    at the start of a launch
l2_bytes? count           size of L2
problem? given            the mask of a file
lengths? [workload]       generated masks by side; what follows is of generated ones
kinds?   [workload]       generated masks by kind
others?  [workload]       further workloads
reuse?   table            how often a mask must be used until packing pays
claims?  [verdict]        the claims about the mask
given: the mask of a file
+ mask_facts
methods  [method]         each method
left_out? [skip]          methods that were not run
workload: a generated mask
+ mask_facts
name     text             its name
trial    text             the kind of trial
series?  text             the series of sizes that it belongs to
kind     text             the kind of mask
length   count            its side
methods  [method]         each method
left_out? [skip]          methods that were not run
mask_facts: a mask
n        count            images
heads    count            images of the elements for one of the mask
height   count            rows
width    count            columns
masked   number           share that is true
type     text             of the elements
mask_bytes count          of the boolean mask
words_bytes count         of the packed words
share    number           rows that share a word
not_smaller_up_to? count|null  width up to which words are not smaller; null: never
causal   bool             whether it is the mask of causal attention
method: a method on a mask
method   text             its name
label    text             its name with the order
order?   "linear"|"packed"|"interleaved"  the walk over words
entry?   text             the kernel
skipped? text             why it could not run; then there is nothing else
verified? bool            whether the result is right
runs_as? text             the method that replaced it
timed?   bool             whether it was timed
elements? count           elements
instructions? number      instructions for an element
warp_instructions? count  instructions of warps
word_uses? {number}       for each element: loads of words, and instructions that take bits apart
cycles?  count            cycles
overhead_cycles? count    of the launch itself
drained? number           cycles, and those that writing back takes
limiter? text             what bounds it
energy?  number           joules
energy_assumed? number    share of the energy that rests on assumed values
board_bytes? count        bytes of DRAM and those left dirty in L2
dram_bytes? count         bytes of DRAM
dirty_bytes? count        bytes left dirty in L2
dirty_share? number       their share of board_bytes
ideal_bytes? number       bytes that must be moved, for an element
bytes_per_element? number  bytes that were
mask_bytes? number        those of the mask
sectors_per_request? number  of warps
speedup? number           against byte loads: the fill alone
speedup_drained? number   with writing back
speedup_once? number      with the conversion
bytes_ratio? number       bytes against byte loads
uses?    {number|bool}    uses after which packing pays, by what is counted
word_bits? count          bits of a word
tensors? {tensor}         bytes of each tensor
difference? text          where the result is wrong
tensor: bytes of a tensor
requests count            of warps
sectors  count            of L1
l1_moved count            bytes moved at L1
l1_useful count           of which useful
l2_moved count            bytes moved at L2
l2_useful count           of which useful
dram_moved count          bytes moved at DRAM
dram_useful count         of which useful
dirty    count            bytes left dirty in L2
skip: a method that was not run
label    text             which
why      text             why not
table: a table
x        axis             its columns
y        axis             its rows
cells    [[text]]         by row, in each its columns
axis: of a table
name     text             what it counts
values   [number]         where
]==]},
    {name = "heddle-study-spconv-2", title = "the sparse convolution: `heddle study spconv --json FILE`", text = [==[
+ study
dtype    text             of x and weights on the board
caches   "cold"|"warm"    at the start of a launch
identify "ordered"|"append"  how active positions are found
boards   [on_board]       each board
+? problem
+? input_facts
on_board: a board
board    text             its name
settings settings         changed values
warp     count            lanes of a warp
methods? [method]         each method, on an input that was given
crossovers? [crossover]   where costs cross, with --crossover
scans?   [scan]           scans, without an input
sweeps?  [sweep]          random occupancies
claims?  [verdict]        the claims about the method
scan: a scan
name     text             its name
+ problem
+ input_facts
methods  [method]         each method
problem: a convolution
rank     count            dimensions, 2 or 3
batch    count            inputs
channels count            of x
filters  count            of the result
layout   "nchw"|"nhwc"    of x and the result
size     [count 3]        depth, height and width of x
kernel   [count 3]        of the window
stride   [count 3]        steps
padding_lo [whole 3]      before
padding_hi [whole 3]      behind
output   [count 3]        of the result
centres  [[count 3]]      the elements of the window that decide
positions count           of x
outputs  count            of the result
input_facts: an input
input    [text]           where it is from
active   count            positions that are active
windows  count            windows that are
density  number           share of active positions
share    number           share of the elements of windows that are active
pairs    count            active elements of active windows
exact    bool             whether sums are exact in fp32
bias     bool             whether there is a bias
costs: of a method or a stage
launches count            launches
cycles   count            cycles
overhead_cycles count     of the launches themselves, and of the host's reads between them
drained  number           cycles, and those that writing back takes
launched number           these with overhead_cycles
energy   number           joules
energies {number}         the same by the board's values
limiter  text             what bounds it
warp_instructions count   instructions of warps
macs     count            multiply-adds that were issued
macs_asked count          those that the method asks for
macs_useful count         those of active elements
board_bytes count         bytes of DRAM and those left dirty in L2
dirty_bytes count         bytes left dirty in L2
l1_bytes count            bytes moved at L1
l1_useful count           of which useful
l2_bytes count            bytes moved at L2
reads    count            lengths of lists that the host reads before it launches more
host_bytes count          their bytes
gather   number           sectors for each request of gathered tensors
zero_share? number        share of the product that is zeros
tensors  {tensor}         bytes of each tensor
method: a method
method   text             its name
+ costs
type     text             of x and weights on the board
active   count            positions that are active
windows  count            windows that are
append   bool             whether active positions are found by atomic append
exact    bool             whether the result is compared exactly
elements count            that were compared
verified bool             whether the result is right
difference? text          where it is wrong
matrix_bytes count        bytes of its largest matrix
limiter_stage text        the stage that takes longest
rounded? rounding         what fp16 changes
stages   [stage]          each launch
stage: a launch
name     text             what it does
kernel   text             the kernel
part     "mask"|"method"  whether it finds active positions, or what follows
+ costs
tensor: bytes of a tensor
requests count            of warps
sectors  count            of L1
l1_bytes count            bytes moved at L1
l1_useful count           of which useful
l2_bytes count            bytes moved at L2
l2_useful count           of which useful
dram_bytes count          bytes moved at DRAM
dram_useful count         of which useful
dirty_bytes count         bytes left dirty in L2
comparison: of costs with those of a baseline
predicted? number|text    the density below which the method costs less, always or never
expected? "less"|"more"|"equal"  what that says of this input
found?   "less"|"more"|"equal"  what was measured
ratio?   number           what the baseline costs for 1 of the method
alone?   "less"|"more"|"equal"  against a dense method without its mask
alone_ratio? number       likewise
crossover: a comparison by one cost
baseline text             the baseline
key      text             the cost
measure  text             the cost in words
+ comparison
written? comparison       with zeros written
rounding: what fp16 changes
x        rounded          of x
weights  rounded          of the weights
rounded: elements that were rounded
of       count            elements
changed  count            that were changed
zeros    count            that became zero
sweep: random occupancies of one shape
name     text             its name
+ problem
points   [point]          by density
crossovers? {turn}        where costs cross, by claim
interpolated_within? number  how far interpolated costs are from measured ones
point: an occupancy
density  number           share of active positions
q        number           share of active elements of windows
windows  count            active windows
by       {method}         each method by its name
]==]},
    {name = "heddle-study-boards-2", title = "a step on several boards: `heddle study boards --json FILE`", text = [==[
+ study
board    text             the boards' name
settings settings         changed values
m        count            rows of C and A
n        count            columns of C and B
k        count            columns of A, rows of B
link     text             between boards
host     text             from each board to its host
way      "ring"|"direct"  of the exchange
pieces   count            of a board's rows
boards   [shared]         each number of boards
shared: a step on so many boards
boards   count            their number
rows     count            rows of each, the same of all
kernel_us number          time of its kernels
in_us    number           time of its copies from the host
exchange_us number        time of the exchange of C
exchange_steps count      steps of it, one after the other
out_us   number           time of its copies to the host
overlapped_us number      what of them passes at once
step_us  number           time of the step
speedup  number           beside the first number of boards, as one
efficiency number         share of that in the number of boards
joules   number           energy of all links
]==]},
    {name = "heddle-study-gemm-2", title = "a dense product: `heddle study gemm --json FILE`", text = [==[
+ study
board    text             the board
settings settings         changed values
type     text             f32, f16 or mma
kernel   text             the kernel
m        count            rows of C
n        count            columns of C
k        count            length of a sum
block    count            threads of a block
blocks   count            blocks
blocks_given number       blocks of each SM that the grid gives
blocks_held count         blocks that an SM holds
blocks_limit text         what keeps more from it
warps_active number       share of the warps that an SM could hold
active   number           share of SMs that work
busy     number           share of time in which they issue
compared count            elements that were compared
cycles   count            cycles
seconds  number           time
macs     count            multiply-adds asked for
macs_executed count       multiply-adds executed
gflops   number           rate
peak_gflops number        that of the board
share    number           their quotient
limiter  text             what bounds it
stalls   [wait]           why warps waited
wait: a reason to wait
name     text             the reason
doc      text             what it means
share    number           share of the warps' time
]==]},
    {name = "heddle-study-memory-2", title = "memory alone: `heddle study memory --json FILE`", text = [==[
+ study
requests count            requests of a pattern
memories [memory]         each board's or device's channel
memory: a channel of a memory
name     text             the board's or the device's name
peak_gbs number           what its data bus can, GB/s
patterns [pattern]        patterns in a closed loop
loads    [load]           reads at rising rates
hits     [continued]      reads by the share that continues in a row
channels [spread]         patterns over several channels
continued: reads of which a share continues in the row of the one before
+ moved
continued number          that share
spread: a pattern over channels
+ moved
pattern  text             its name
channels count            channels
pattern: a pattern of requests
+ moved
name     text             its name
doc      text             what it is
load: reads that arrive at a rate
+ moved
pattern  text             stream or random
rate     number           share of the peak at which they arrive
moved: what requests took
gbs      number           GB/s moved
share    number           share of the peak
row_hits number           share of the requests whose row was open
parts    {number}         percent of the time of the data bus, by part; they add up to 100
latency  number           ns of a read, on average
latency_99 number         ns that 99 % of the reads take at most
peak_gbs number           GB/s that the buses can
pj_bit   number           picojoules of a bit moved
]==]},
    {name = "heddle-study-rfft-2", title = "the spectrum of a signal: `heddle study rfft --json FILE`", text = [==[
+ study
input    text             the signal
rate     number           samples a second
warp     count            lanes of a warp
frame    count            samples of a frame
frames   count            frames
dropped  count            samples left over
found    found            the loudest frequency
kernels  [kernel]         each kernel
board?   text             its board's name, with --board
settings? settings        values of it that were changed
found: the loudest frequency
frame?   count            the loudest frame
bin?     count            its loudest bin
frequency? number         of that bin
level_db? number          its level
mean_bin? count           the loudest bin of the mean
mean_frequency? number    of that bin
mean_level_db? number     its level
constant_level_db? number  level of the constant part
frames_measured? count    frames that are not silent
kernel: a kernel
name     text             its name
holds    bool             whether its error is within the bound
error    number           greatest error
bound    number           the bound
largest  number           greatest value
frames_compared count     with a reference
frames_not_compared count  with values that are not finite
warp_instructions count   instructions of warps
cycles?  count            cycles, with a board
cycles_zeros? count       the same with zeros in place of the data
classes  {classes count}  by class
]==]},
    {name = "heddle-study-calibrate-2", title = "boards and cards: `heddle study calibrate --json FILE`", text = [==[
+ study
boards   {[quantity]}     by board
quantity: what was measured on a card
id       text             its name
group    text             the kind of quantity
what     text             what it is
unit     text             its unit
measured number           on the card
model    number|null      on the board
ratio    number|null      their quotient
basis    text             set, fitted, predicted, seen or doubted
source   text             who measured it
]==]},
    {name = "heddle-study-claims-2", title = "all claims on a board: `heddle study claims --json FILE`", text = [==[
+ study
boards   [judged]         the board, and the one beside it
differ?  count            verdicts that differ
conditions_differ? count  conditions that do, of the same verdict
judged: a board
board    text             its name
settings settings         changed values
claims   {[verdict]}      by study
not_judged? {text}        studies that could not run, and why
]==]},
}
