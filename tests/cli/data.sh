#!/bin/sh
# Do buffers have the data of --in, --inout and --out, and does --print show their contents?
#
#   HEDDLE=build/heddle sh tests/cli/data.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"

# y[i] = x[i] + y[i] for one block of at most n threads, in every type of 4 bytes
cat >add.hd <<'END'
.kernel add
.param x : b32[n]
.param y : b32[2*n]
.param n : u32
.reg   i, v, px:2, py:2
.pred  out
        s2r           i, %tid.x
        ld.param.b32  v, [n]
        setp.ge.u32   out, i, v
@out    exit
        ld.param.b64  px, [x]
        ld.param.b64  py, [y]
        mad.wide.u32  px, i, 4, px
        mad.wide.u32  py, i, 4, py
        ld.global.b32 i, [px]
        ld.global.b32 v, [py]
        add.s32       v, i, v
        st.global.b32 [py], v
        exit
END
RUN="heddle run add.hd -q --block 32"

# ---- fills ----
shows 0 "$RUN --arg n=12 --in x=iota --inout y=fill:100 --print y" <<'END'
y = u32[24]
    [0..7]  100 101 102 103 104 105 106 107
   [8..15]  108 109 110 111 100 100 100 100
  [16..23]  100 100 100 100 100 100 100 100
END
shows 0 "$RUN --arg n=4 --in x=i32:expr:'i % n - 2' --inout 'y=[8]:expr:i * i' --print x --print y[2..5]" <<'END'
x = i32[4]
  [0..3]  -2 -1  0  1
y = u32[8]
  [2..5]   4 10 16 25
END
shows 0 "$RUN --arg n=4 --in x=zeros --inout y=f32[2,4]:ones --print y[1..,1..2]" <<'END'
y = f32[2,4]
  [1,1..2]  1 1
END
shows 0 "$RUN --arg n=1 --in x=zeros --inout 'y=f32[2]:expr:1/3*10^(20*i)' --print y" <<'END'
y = f32[2]
  [0..1]     0.33333334 3.3333333e+19
END
shows 0 "$RUN --arg n=1 --in x=zeros --inout 'y=f32[5]:expr:({1/0, 0/0, -1/0, -0.0, 1e-45})[i + 1]' --print y" <<'END'
y = f32[5]
  [0..4]    inf   nan  -inf    -0 1e-45
END
# The same numbers from a second description of the generator, in every type.
cat >random.lua <<'END'
local heddle = require "heddle"
local context = heddle.new()
local function mix(z)
    z = (z ~ z >> 30) * 0xbf58476d1ce4e5b9
    z = (z ~ z >> 27) * 0x94d049bb133111eb
    return z ~ z >> 31
end
local bits = {f16 = 11, bf16 = 8, f32 = 24, f64 = 24, c64 = 24}
local wrong = 0
for _, type in ipairs {"bool", "i8", "u8", "i16", "u16", "f16", "bf16", "i32", "u32", "f32", "i64", "u64", "f64", "c64"} do
    local b = context:buffer("b", type, {3000}):fill "random:41"
    for i = 1, #b do
        local z = mix(41 + i * 0x9e3779b97f4a7c15)
        local p, got = bits[type], b[i]
        local want = p and (z >> 64 - p) / (1 << p - 1) - 1 or type ~= "bool" and (z >> 32) % 100 or z < 0
        wrong = wrong + ((type == "c64" and got[1] or got) == want and 0 or 1)
    end
end
print(wrong)
END
shows 0 "heddle lua random.lua" <<'END'
0
END
shows 0 "$RUN --arg n=1 --in x=zeros --inout y=i32[2]:random --print y
    $RUN --arg n=1 --in x=zeros --inout y=i32[2]:random:0x0 --print y" <<'END'
y = i32[2]
  [0..1]  33 34
y = i32[2]
  [0..1]  33 34
END

# ---- files ----
printf '1,2, 3\n4,\t5,6 # a remark\n\n' >x.csv
printf 'a list\n1\n2\n3\n4\n' >list.txt
printf '\1\0\0\0\377\377\377\377' >x.raw
shows 0 "$RUN --arg n=6 --in x=i32:@x.csv --inout y=[2,6]:iota:y.npy --print x --print y" <<'END'
x = i32[2,3]
  [0,0..2]  1 2 3
  [1,0..2]  4 5 6
y = u32[2,6]
  [0,0..5]   1  3  5  7  9 11
  [1,0..5]   6  7  8  9 10 11
END
shows 0 "$RUN --arg n=0 --in x=y.npy --inout y=@y.npy --print y[0]" <<'END'
y = u32[2,6]
  [0,0..5]   1  3  5  7  9 11
END
shows 0 "$RUN --arg n=1 --in x=@list.txt --inout y=i32:@x.raw --print x --print y" <<'END'
x = u32[4]
  [0..3]  1 2 3 4
y = i32[2]
  [0..1]   2 -1
END
says 0 "heddle run add.hd --arg n=2 --in x=iota --inout y=ones:z.npy" "wrote y = u32[4] to z.npy"
says 0 "heddle run add.hd --arg n=2 --in x=iota --inout 'y=expr:(\"a:b\"):len():w.npy'" "wrote y = u32[4] to w.npy"
says 0 "heddle run add.hd --arg n=2 --in x=iota --out y=v.npy" "wrote y = u32[4] to v.npy"
says 0 "heddle run add.hd --arg n=2 --in x=iota --out y=i32" "add: grid 1"
says 0 "heddle run add.hd --arg n=2 --in x=iota --inout y=random:3" "add: grid 1"
holds "nothing more was written" 'test "$(echo *.npy)" = "v.npy w.npy y.npy z.npy"'
shows 0 "heddle run add.hd --arg n=6 --block 32 --in x=@y.npy --inout y=@y.npy --print y --json - | head -n 1" <<'END'
{
END

# ---- mistakes ----
wrong() { # wrong OPTIONS: exit status 2 and what is on standard input
    shows 2 "$RUN --arg n=2 $*"
}
wrong --in x=itoa <<'END'
--in: error: there is no such file; did you mean 'iota'?
    --in x=itoa
           ^~~~
END
wrong --in x=f32[4]:itoa <<'END'
--in: error: expected iota, zeros, ones, fill:V or random[:SEED], expr:EXPRESSION or @FILE
    --in x=f32[4]:itoa
                  ^~~~
END
wrong --in x=f32[4] <<'END'
--in: error: expected ':' and what fills it
    --in x=f32[4]
                 ^
END
wrong --in x=f33[4]:ones <<'END'
heddle: error: buffer 'x': unknown type 'f33'; did you mean 'f32'?
END
wrong --in x=iota:z.npy <<'END'
--in: error: expected iota, zeros, ones, fill:V or random[:SEED], expr:EXPRESSION or @FILE
    --in x=iota:z.npy
               ^~~~~~
END
wrong --in x=fill:2.5 <<'END'
--in: error: buffer 'x': u32 takes a whole number, not '2.5'
    --in x=fill:2.5
           ^~~~~~~~
END
wrong --in x=fill <<'END'
--in: error: buffer 'x': 'fill': expected iota, zeros, ones, fill:V or random[:SEED]
    --in x=fill
           ^~~~
END
wrong "--in 'x=expr:i +'" <<'END'
--in: error: unexpected symbol near 'end'
    --in x=expr:i +
           ^~~~~~~~
END
wrong "--in 'x=expr:m'" <<'END'
--in: error: at i = 0: it is a nil value
    --in x=expr:m
           ^~~~~~
END
wrong "--in 'x=expr:i / 2'" <<'END'
--in: error: at i = 1: 0.5 is not a whole number
    --in x=expr:i / 2
           ^~~~~~~~~~
END
says 2 "heddle show 'u64[2]:expr:2^63 + i'" "at i = 0: 9.2233720368547758e+18 is floating point, beyond integers of 64 bits; 1 << 63"
says 2 "heddle show 'u64[2]:expr:1 / (1 - i)'" "at i = 1: inf is not a whole number"
says 0 "heddle show 'u64[2]:expr:(1 << 63) + i'" "9223372036854775808 9223372036854775809"
says 2 "$RUN --arg n=2 --in 'x=expr:(function() while true do end end)()'" "is there an endless loop?"
wrong --in x=expr: <<'END'
--in: error: expected an expression of i
    --in x=expr:
                ^
END
wrong --in x=@ <<'END'
--in: error: expected a file after '@'
    --in x=@
            ^
END
shows 2 "heddle run add.hd --in x=iota" <<'END'
--in: error: kernel 'add': the size of parameter 'x : b32[n]' needs 'n', which is not given
    --in x=iota
           ^~~~
END
wrong --in z=iota <<'END'
--in: error: no kernel takes a buffer 'z'
    --in z=iota
           ^~~~
END
sed 's/b32\[n\]/b32[]/' add.hd >open.hd
shows 2 "heddle run open.hd --arg n=4 --in x=iota" <<'END'
--in: error: kernel 'add': parameter 'x : b32[]' declares no size: give one, such as u32[1024]
    --in x=iota
           ^~~~
END
printf '1, 2\n 3, 4x\n7 -\n' >bad.csv
wrong --in x=@bad.csv <<'END'
bad.csv:2:5: error: u32 takes a whole number, not '4x'
     2 |  3, 4x
       |     ^~
bad.csv:3:1: error: the line has 1 field, and line 1 has 2
     3 | 7 -
       | ^~~
END
wrong --in x=[5]:@x.csv <<'END'
x.csv: error: 6 numbers, and the shape has 5
END
wrong --in x=f64:@ragged.raw <<'END'
ragged.raw: error: cannot be read: No such file or directory
END
printf 12345 >odd.raw
wrong --in x=@odd.raw <<'END'
odd.raw: error: its 5 bytes are not a whole number of u32, which take 4
END
wrong --in x=f32[2]:@y.npy <<'END'
--in: error: a .npy file has a type and a shape of its own; tables end in .csv, .tsv, .txt or .dat
    --in x=f32[2]:@y.npy
           ^~~~~~~~~~~~~
END
says 2 "$RUN --arg n=2 --in x=@y.npy --inout y=@y.npy:y.npy" "'y.npy' is read, and is not replaced"
says 2 "$RUN --arg n=2 --in x=iota --inout y=iota:" "expected a file after ':'"

# ---- tables ----
for table in 'hole.csv:1,,3\n4,5,6\n' 'ragged.csv:1,2\n3\n' 'trail.csv:1,2,3,\n4,5,6,\n' 'names.csv:a,b,c\n1,2,3\n4,5,6\n' \
    'quoted.csv:"1","2"\r\n"3","NaN"\r\n' 'decimal.csv:1,5;2,5\n' 'spaces.csv:1,5 2,5\n' 'none.csv:' 'only.csv:a,b\n' \
    'wide.csv:\377\3761\0,\0' 'later.csv:a,b\n1,2\nc,3\n' 'open.csv:"1,2\n' 'whole.tsv:n\ti\n18446744073709551615\t0x10\n'; do
    printf "${table#*:}" >"${table%%:*}"
done
shows 0 "heddle show @names.csv 2>&1" <<'END'
names.csv: note: line 1 names the columns: a, b, c
@names.csv = f32[2,3]
  [0,0..2]  1 2 3
  [1,0..2]  4 5 6
END
shows 0 "heddle show u64:@whole.tsv 2>/dev/null" <<'END'
u64:@whole.tsv = u64[2]
  [0..1]  18446744073709551615                   16
END
holds "endings in any case" 'cp trail.csv TRAIL.CSV && heddle show @TRAIL.CSV'
shows 0 "heddle show @trail.csv" <<'END'
@trail.csv = f32[2,3]
  [0,0..2]  1 2 3
  [1,0..2]  4 5 6
END
shows 0 "heddle show f32:@quoted.csv" <<'END'
f32:@quoted.csv = f32[2,2]
  [0,0..1]    1   2
  [1,0..1]    3 nan
END
shows 2 "heddle show f32:@hole.csv" <<'END'
hole.csv:1:3: error: an empty field; the option empty=nan reads it as NaN
     1 | 1,,3
       |   ^
END
shows 0 "heddle show f32:@hole.csv --empty nan" <<'END'
f32:@hole.csv = f32[2,3]
  [0,0..2]    1 nan   3
  [1,0..2]    4   5   6
END
shows 0 "heddle make hole.npy f64:@hole.csv --empty=nan && heddle show hole.npy [0,1]" <<'END'
hole.npy = f64[2,3]
  [0,1]  nan
END
shows 0 "heddle run add.hd -q --arg n=0 --in x=zeros --inout y=f32:@hole.csv --empty nan --print y[0]" <<'END'
y = f32[2,3]
  [0,0..2]    1 nan   3
END
says 2 "heddle show i32:@hole.csv --empty nan" "hole.csv: error: empty=nan: i32 has no NaN"
says 2 "heddle show i32:@hole.csv --empty zero" "expected error or nan"
says 2 "heddle show @ragged.csv" "ragged.csv:2:1: error: the line has 1 field, and line 1 has 2"
says 2 "heddle show @decimal.csv" "decimal.csv:1:2: error: both ',' and ';' separate here"
says 2 "heddle show @spaces.csv" "spaces.csv:1:4: error: both ',' and blanks separate here"
says 2 "heddle show @later.csv" "later.csv:3:1: error: f32 takes a number"
says 2 "heddle show @open.csv" "open.csv:1:1: error: quotes that do not end"
says 2 "heddle show @none.csv" "none.csv: error: there is no number in it"
says 2 "heddle show @only.csv" "only.csv: error: there are names, and no number below them"
says 2 "heddle show @wide.csv" "wide.csv: error: the text is UTF-16; save it as UTF-8"

# For floating-point types, 0x and 0b are the bits, as a note explains.
printf '1,2\n0x3f800000,0b11\n' >bits.csv
shows 0 "heddle show @bits.csv 2>&1" <<'END'
bits.csv: note: line 2: 0x3f800000 is taken as the bits of f32, not as a whole number
@bits.csv = f32[2,2]
  [0,0..1]      1     2
  [1,0..1]      1 4e-45
END
shows 0 "heddle show u32:@bits.csv [1,0..1] 2>&1" <<'END'
u32:@bits.csv = u32[2,2]
  [1,0..1]  1065353216          3
END

# Each word, file and form that docs/running.md names.
printf 'Inf,-Infinity,NAN,inf\n+iNF,nan,-0,1e3\n' >words.csv
shows 0 "heddle show f64:@words.csv" <<'END'
f64:@words.csv = f64[2,4]
  [0,0..3]   inf -inf  nan  inf
  [1,0..3]   inf  nan   -0 1000
END
printf '1 2 %% 3\n' >bad.dat
printf '%% a\n// b\n# c\n1 2 # d\n3 4\n' >t.dat && cp t.dat t.TXT && printf '1\t2\n' >t.tsv && printf '1;2\n3;4\n' >t2.csv && printf '\1\2\3\4' >t.bin
for file in t.dat t.TXT t2.csv; do says 0 "heddle show @$file [1,1]" "4"; done
says 2 "heddle show @bad.dat" "bad.dat:1:5: error"
says 0 "heddle show u16:@t.bin" "513 1027"
says 0 "heddle show @t.tsv" "f32[2]"
printf '7\n' >one.csv && printf '1\n2\n' >column.csv
says 0 "heddle show @one.csv" "f32[1]"
says 0 "heddle show @column.csv" "f32[2]"
cp y.npy iota
shows 0 "$RUN --arg n=0 --in x=./iota --out y=f32[2,2]:o.npy --print x[1,4..] --print y && heddle show o.npy [1] && rm iota" <<'END'
x = u32[2,6]
  [1,4..5]  10 11
y = f32[2,2]
  [0,0..1]  0 0
  [1,0..1]  0 0
o.npy = f32[2,2]
  [1,0..1]  0 0
END
says 0 "heddle show 'i64[2]:expr:math.maxinteger + i' [1]" "-9223372036854775808"
says 0 "heddle show 'u8[2]:expr:255 + i' [1]" "0"
fortran() { # fortran TYPE BYTES: six elements of [2,3], column by column
    printf "\223NUMPY\1\0\166\0{'descr': '$1', 'fortran_order': True, 'shape': (2, 3), }%59s\n$2" "" >f.npy
}
fortran '>i4' '\0\0\0\0\0\0\0\3\0\0\0\1\0\0\0\4\0\0\0\2\0\0\0\5'
shows 0 "$RUN --arg n=0 --in x=f.npy --inout y=zeros --print x" <<'END'
x = i32[2,3]
  [0,0..2]  0 1 2
  [1,0..2]  3 4 5
END
says 0 "heddle show f.npy 2>&1" "f.npy: note: big endian, in Fortran order; converted to little endian, C order"
# The fill after ';! in' is another generator than that of --in.
{ printf ';! run add grid=1 block=32\n;! arg n=0\n;! in x : u32[3] = random 5\n;! inout y : u32[2] = fill 0\n'; cat add.hd; } >case.hd
shows 0 "heddle run case.hd -q --print x && $RUN --arg n=0 --in x=[3]:random:5 --inout y=zeros --print x" <<'END'
x = u32[3]
  [0..2]  97 77 30
x = u32[3]
  [0..2]   8 29 56
END

# Fields meant as values are not taken for names, whatever they stand for.
for line in '2024-01-02,2024-01-03' '10%%,20%%' '$1,$2' '\342\210\2221,\342\210\2222' '1|2' '"1,000","2,000"' 'NA,NA' 'true,False' \
    'null,n/a' '1\302\240000,2' '\342\202\2545,1' '-,-'; do
    printf -- "$line\n1,2\n" >values.csv
    says 2 "heddle show @values.csv" "values.csv:1:1: error: f32 takes a number"
done
for line in 'x1,y2' 'E,e' '"\302\260C","#"' 'Na,K' 'x (10^3),y [%%]' '\316\2601,b'; do
    printf -- "$line\n1,2\n3,4\n" >values.csv
    says 0 "heddle show @values.csv" "f32[2,2]"
done
printf 'sep=;\r\na;b\r\n1;2\r\n' >excel.csv
says 0 "heddle show @excel.csv 2>&1" "line 2 names the columns: a, b"
shows 2 "heddle run add.hd --board v100 --set sm.polcy=2" <<'END'
--set: error: unknown key 'sm.polcy'; did you mean 'sm.policy'?
    --set sm.polcy=2
          ^~~~~~~~
END
says 2 "heddle run add.hd --board v100 --set sms=x" "    --set sms=x"

# ---- --print ----
P="$RUN --arg n=2 --in x=iota --inout y=[2,2]:iota --print"
for range in 'y[2]' 'y[..2]' 'y[0,2..]'; do says 2 "$P '$range'" "the elements are 0 to 1"; done
for range in 'y[a]' 'y[]' 'y[0.1]' 'y[,]' 'y[-1]'; do says 2 "$P '$range'" "expected an element or a range, such as 0..15"; done
says 2 "$P 'y[1..0]'" "the range ends before it begins"
says 2 "$P 'y[0,0,0]'" "it has 2 dimensions"
says 2 "$P 'y[0'" "expected ']'"
says 2 "$P 'y[0]x'" "nothing may follow ']'"
says 2 "$P yy" "there is no buffer 'yy'; did you mean 'y'?"
says 2 "$P '[0]'" "expected the name of a buffer"
shows 0 "$RUN --arg n=0 --in x=iota --inout y=f32[0]:ones --print y" <<'END'
y = f32[0]
END
shows 0 "$RUN --arg n=0 --in x=iota --inout y=u32[]:fill:7 --print y" <<'END'
y = u32[]
  []  7
END
shows 0 "$RUN --arg n=200 --block 200 --in x=iota --inout y=ones --print y | tail -n 2" <<'END'
  [248..255]    1   1   1   1   1   1   1   1
  ... the first 256 of 400; a range, such as y[256..], shows others
END

# Missing data may be in a case of the file.
says 2 "heddle run classic/saxpy --in x=f32[8]:iota" "  --case 1 takes all that is not given from the file's first case"
says 2 "heddle run classic/saxpy --in x=f32[250]:iota --print y" "  --case 1 takes all that is not given"
says 0 "heddle run classic/saxpy --case 1 --in x=f32[250]:ones --print 'y[0..1]'" "[0..1]  3 3"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
