#!/bin/sh
# Do `heddle new`, `make` and `show` write and print what they promise?
#
#   HEDDLE=build/heddle sh tests/cli/files.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"

# ---- new ----
says 0 "heddle new scale" "wrote scale.hd: 'heddle run scale.hd' runs its case"
shows 0 "heddle test scale.hd && heddle lint scale.hd" <<'END'
4 passed, 0 failed in 1 file
END
says 0 "heddle run scale.hd" "expectations: 1 of 1 met"
cp scale.hd kept.hd
says 2 "heddle new scale.hd" "scale.hd is there already, and is not replaced"
holds "the file stays" 'cmp scale.hd kept.hd'
for name in 3x a-b '' .hd; do says 2 "heddle new '$name'" "is not a name for a kernel"; done
says 2 "heddle new none/x" "none/x.hd: No such file or directory"
says 2 "heddle new" "which name?"
says 0 "mkdir sub && heddle new sub/_k && heddle run sub/_k.hd" "_k: grid 2"

# ---- files that are no kernels ----
printf '.version 8.0\n.target sm_80\n' >k.ptx
printf '__global__ void k(float *x) {}\n' >k.cu
printf '__kernel void k() {}\n' >k.cl
cp k.ptx kernel
printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\276\0' >kernel.bin
for command in run debug lint asm dis test 'prove kept.hd' 'run -q' 'sweep -o none.db --over grid=1 run'; do
    says 2 "heddle $command k.ptx" "k.ptx:1:1: error: this is PTX, which heddle does not read: 'heddle new NAME' begins"
    says 2 "heddle $command kernel" "kernel:1:1: error: this is PTX"
    says 2 "heddle $command k.cu" "k.cu:1:1: error: this is CUDA or HIP C++, which heddle does not read"
    says 2 "heddle $command k.cl" "k.cl:1:1: error: this is OpenCL C, which heddle does not read"
    says 2 "heddle $command kernel.bin" "kernel.bin: error: this is a cubin, machine code of an NVIDIA GPU"
done
shows 2 "heddle run - <k.cl" <<'END'
standard input:1:1: error: this is OpenCL C, which heddle does not read: 'heddle new NAME' begins a kernel in its own assembly, 'heddle doc WORD' and docs/cuda-to-heddle.md translate CUDA's words
     1 | __kernel void k() {}
       | ^~~~~~~~
END
for command in run debug lint asm 'prove kept.hd'; do
    says 2 "heddle $command sub" "sub: error: this is a folder, and a kernel file is expected: 'heddle test' runs"
done
says 2 "heddle k.ptx" "unknown command 'k.ptx'; did you mean 'heddle run k.ptx'?"

# ---- names in kernels and boards that lead to no plain file ----
mkfifo pipe
printf 'base: pipe\n' >piped.yaml
for name in pipe /dev/zero sub; do
    printf '.include "%s"\n.kernel k\n        exit\n;! run k\n' "$name" >named.hd
    for command in 'run' 'run --case 1' lint asm 'prove kept.hd' test; do
        says 2 "timeout 5 heddle $command named.hd" "'$name' cannot be read; expected a plain file"
    done
done
says 2 "timeout 5 heddle board piped.yaml" "piped.yaml:1:7: error: there is no board file 'pipe' beside this one"

# ---- make and show ----
shows 0 "heddle make x.npy 'i16[2,3,4]:expr:i * a - 1' --arg a=100 && heddle show x.npy && heddle show x.npy '1,..1,2..'" <<'END'
x.npy = i16[2,3,4]
  [0,0,0..3]    -1   99  199  299
  [0,1,0..3]   399  499  599  699
  [0,2,0..3]   799  899  999 1099
  [1,0,0..3]  1199 1299 1399 1499
  [1,1,0..3]  1599 1699 1799 1899
  [1,2,0..3]  1999 2099 2199 2299
x.npy = i16[2,3,4]
  [1,0,2..3]  1399 1499
  [1,1,2..3]  1799 1899
END
shows 0 "heddle show 'f32[5]:expr:({1, 0/0, 3, 1/0, 0})[i + 1]' --stats" <<'END'
  elements                5
  min                     0
  max                     3
  mean           1.33333333
  deviation      1.24721913
  zeros                   1
  nan                     1
  inf                     1
END
shows 0 "heddle show u8[32]:iota --hist | sed -n '1p;16p'" <<'END'
  from            0            2  |########################################|
  from      29.0625            2  |########################################|
END
shows 0 "heddle show f32[3]:ones --hist" <<'END'
  from            1            3  |########################################|
END
shows 0 "heddle show u8[4,10]:iota --image -" <<'END'
     ....:
==++++****
END
shows 0 "heddle show u8[2,3]:iota --image x.pgm && od -An -tu1 -j 11 x.pgm && head -n 3 x.pgm | head -c 11" <<'END'
   0  51 102 153 204 255
P5
3 2
255
END
printf '1 2\n3 4\n' >t.csv
shows 0 "heddle make t.npy @t.csv && heddle make i.npy i32:@t.csv && heddle show t.npy && heddle show i.npy [1] --stats | head -n 3" <<'END'
t.npy = f32[2,2]
  [0,0..1]  1 2
  [1,0..1]  3 4
  elements                2
  min                     3
  max                     4
END
shows 0 "heddle make - u8[1]:ones | heddle show -" <<'END'
standard input = u8[1]
  [0]  1
END
says 0 "heddle show f32[2,1000]:iota --image - | awk '{ if (length(\$0) > 100) bad = 1 } END { exit bad }'; echo ok" ok
shows 2 "heddle make y.npy iota" <<'END'
heddle make: error: expected TYPE[SHAPE] before it
    heddle make iota
                ^~~~
END
says 2 "heddle make y.npy" "which file, and what is in it?"
says 2 "heddle make x.npy @x.npy" "'x.npy' is read, and is not replaced"
says 2 "heddle make none/y.npy u8[1]:ones" "none/y.npy: error: cannot be written"
shows 2 "heddle show x.npy [2]" <<'END'
heddle show: error: the elements are 0 to 1
    heddle show [2]
                 ^
END
says 2 "heddle show none.npy" "none.npy: error: cannot be read"
says 2 "heddle show x.npy --image y.pgm" "a picture has two dimensions"
says 2 "heddle show x.npy [0] --image x.npy" "'x.npy' is read, and is not replaced"
says 2 "heddle show u8[2,3]:iota --image y.png" "its name ends in .pgm"
says 0 "heddle show f32[0]:zeros --hist" "no finite elements"
printf '\357\273\277 1; 2;3\r\n' >mark.csv
says 0 "heddle show f32[3]:@mark.csv" "[0..2]  1 2 3"
holds "nothing else was written" 'test ! -e y.npy && test ! -e y.pgm'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
