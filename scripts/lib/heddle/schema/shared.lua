-- Types of several formats, in the notation of heddle.schema.notation.
return [[
value = number|text|bool|[count]|null: a value; null: there is none
values = [value]: one for each run, in their order
basis = "measured"|"derived"|"fitted"|"assumed": how a number is known
settings = {number|text}: values of the board that --set or the study changed
fault: what stopped a run
+ fault_info
message  text             what happened, in full
study: what every study has
study    text             its name
heddle   text             the version of heddle
uncertainty? drawn        with --uncertainty: what draws of the board make of its numbers
drawn: a study on draws of its board
draws    count            how many
figures  [figure]         the numbers that differ among them
figure: a number of the result
at       text             where: a JSON Pointer, /boards/0/cycles
low      number           the least, of the draws and of the board as it stands
high     number           the most
verdict: what was found about a claim
id       text             the claim's name
claim    text             the claim in a few words
says     text             what the source document says
refuted  text             what would refute it
part?    bool             whether it is one view of another claim
metric?  text             the compared cost
questions? [question]     what is asked of the claim, and the methods that answer
verdict  text             holds, holds when, mixed: N of M, or does not hold
condition? text           of "holds when": when
bounds?  [bound]          the same, for a program: all of them
margin   number           the share by which costs must differ to count as different
inputs   count            inputs on which it was judged
won      count            inputs on which it is true
ratio_least? number|null  the rival's cost for 1 of the method's: least of all inputs; null: the method has none
ratio_most? number|null   greatest
method?  text             the cheapest method of the trial that decides
rival?   text             and its cheapest rival
bound_by? text            what bounds the method there
note?    text             a remark on every trial
trials   [trial]          each input
turns?   [turn]           where the outcome turns over a parameter, searched
crossovers? [turn]        the same, of reorders
beside?  beside           the claim by another cost
ranged?  bool             whether it was judged in the ranges of energies
assumed? bool             whether one of these is assumed
falls?   bound            where it falls within the ranges of these
trial: an input on which a claim was judged
name     text             the input
kind     text             its kind
at?      {number|text}    its parameters
method?  text             the cheapest of the methods
cost?    number           its cost
rival?   text             the cheapest of the rivals
rival_cost? number        its cost
ratio?   number|null      rival_cost for 1 of cost; null: cost is 0
won      bool             whether the claim is true there
bound_by? text            what bounds the method
note?    text             a remark
question: what is asked of a claim
question text             the question
answer?  [text]           the methods that were tried
left_out? text            what is known but was not built, and why
bound: where a claim is true
param    text             the axis
most?    number           up to this value
least?   number           from this value on
values?  [number|text]    at these values
of?      [number|text]    all values that were measured
from?    number|text      where the measurements or the search began
to?      number|text      where they ended
searched? bool            whether the bound was searched
rough?   bool             whether it is interpolated
here?    number           the board's value, of an energy
basis?   basis            how that is known
share?   bool             whether it is a share of the way of all energies to the worst ends of their ranges
beside: a claim by another cost
metric   text             the cost
won      count            inputs on which the claim is true by it
ratio_least number|null   as above
ratio_most number|null    as above
turn: where an outcome turns
label?   text             of which inputs
param    text             the parameter
key?     text             of reorders, as all up to `note`: the same
here?    number           its value on the board
low?     number           where the search began
high?    number           where it ended
method?  text             the method
rival?   text             what it was compared with
note?    text             a remark
below?   bool             as in the first crossing found, and so are the next two
first?   number           least value of the side above
last?    number           greatest value of the side below
always?  bool             as in what was found
found    turning          what was found
turning: what a search over a parameter found
turns?   [crossing]       where it turns, if it does
always?  bool             else whether the claim is true everywhere
equal?   bool             whether costs are equal everywhere
from?    number           where the search began
to?      number           where it ended
ragged?  bool             whether only the first and the last turn are told
rough?   bool             whether it is interpolated, not measured
crossing: a parameter's values between which an outcome turns
at       number           where the outcome is another one
below    bool             the outcome below
first    number           least value of the side above
last     number           greatest value of the side below
]]
