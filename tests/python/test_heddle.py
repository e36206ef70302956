"""Is heddle in Python the same simulator, and does it survive what Python users do?"""

import array
import ctypes
import dataclasses
import gc
import importlib.util
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import heddle
import numpy as np
from heddle import _native, dlpack, proof, record, result

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAXPY = {"grid": 4, "block": 64}
COUNT = ROOT / "tests/lib/count.hd"

POKE = """
.kernel poke
.param x : u32[]
.param at : u32
.reg i, one, p:2
        ld.param.b64  p, [x]
        ld.param.b32  i, [at]
        mov.b32       one, 1
        mad.wide.u32  p, i, 4, p
        st.global.b32 [p], one
        exit
"""


def saxpy(gpu, x, y, a=2.5, **options):
    return gpu.launch("classic/saxpy", x=x, y=y, a=a, n=x.size, **SAXPY, **options)


class Arrays(unittest.TestCase):
    def test_result_is_that_of_numpy(self):
        rng = np.random.default_rng(1)
        x, y = (rng.integers(-1000, 1000, 250).astype(np.float32) for _ in range(2))
        want = x * np.float32(2.5) + y  # exact: small whole numbers and halves
        saxpy(heddle.Context(), x, y)
        np.testing.assert_array_equal(y, want)

    def test_arrays_of_the_context_are_its_memory(self):
        gpu = heddle.Context()
        x = gpu.array("x", np.arange(250, dtype=np.float32))
        y = gpu.zeros("y", 250)
        saxpy(gpu, x, y)
        x[:] = 1  # seen by the next launch without another call
        saxpy(gpu, x, y)
        np.testing.assert_array_equal(y, np.arange(250, dtype=np.float32) * 2.5 + 2.5)
        self.assertTrue(np.shares_memory(gpu["y"], y))
        self.assertEqual(gpu.buffers, ["x", "y"])

    def test_tables_are_read(self):
        gpu = heddle.Context()
        self.assertEqual(gpu.csv("x", b"1;9007199254740993\n-2;3\n", "i64").tolist(), [[1, 9007199254740993], [-2, 3]])
        self.assertEqual(gpu.csv("y", "1,2\n3,4\n", "u8", shape=(4, 1)).shape, (4, 1))
        with self.assertWarnsRegex(UserWarning, "line 1 names the columns: a, b"):
            self.assertEqual(gpu.csv("z", "a,b\n1,2\n3,4\n").tolist(), [[1, 2], [3, 4]])
        self.assertTrue(np.isnan(gpu.csv("w", "1,\n,2\n", empty="nan")[1, 0]))
        with self.assertRaisesRegex(heddle.InputError, "1:3: error: an empty field"):
            gpu.csv("v", "1,,3\n4,5,6\n")
        with self.assertRaisesRegex(heddle.InputError, "nowhere.csv: no such file"):
            gpu.csv("v", "nowhere.csv")

    def test_all_types_keep_their_bytes(self):
        gpu = heddle.Context()
        for dtype in ("?", "i1", "u1", "i2", "u2", "f2", "i4", "u4", "f4", "i8", "u8", "f8", "c8"):
            values = np.frombuffer(bytes(range(1, 25)) * 2, dtype=dtype if dtype != "?" else "u1")
            values = (values % 2).astype("?") if dtype == "?" else values
            self.assertEqual(gpu.array("v", values).tobytes(), values.tobytes(), dtype)
        self.assertEqual(gpu.array("v", np.arange(4), dtype="bf16").dtype, np.uint16)
        for name, dtype in ("u32", "<u4"), ("f32", "<f4"), ("u8", "u1"), ("bool", "?"):
            values = gpu.array("w", [0, 1, 1, 0], dtype=name)
            self.assertEqual((values.dtype, values.tolist()), (np.dtype(dtype), [0, 1, 1, 0]), name)
            del values
        swapped = np.arange(5, dtype=">f4")
        np.testing.assert_array_equal(gpu.array("v", swapped), np.arange(5))
        np.testing.assert_array_equal(gpu.array("v", np.arange(12).reshape(3, 4)[:, ::2]), [[0, 2], [4, 6], [8, 10]])
        self.assertEqual(gpu.zeros("none", (0, 3)).shape, (0, 3))

    def test_memory_that_an_array_sees_stays(self):
        gpu = heddle.Context()
        x = gpu.array("x", np.arange(1000))
        with self.assertRaises(BufferError):
            gpu.zeros("x", 5)
        with self.assertRaises(BufferError):
            gpu.drop("x")
        part = x[10:20]
        del x, gpu
        gc.collect()
        np.testing.assert_array_equal(part, np.arange(10, 20))

    def test_memory_that_no_array_sees_goes(self):
        gpu = heddle.Context()
        gpu.zeros("x", 1000)
        gpu.zeros("x", 5)
        gpu.drop("x")
        self.assertEqual(gpu.buffers, [])
        with self.assertRaises(KeyError):
            gpu["x"]

    def test_other_arrays_are_copied_there_and_back(self):
        gpu, x = heddle.Context(), np.zeros(8, np.uint32)
        program = gpu.load("poke.hd", POKE)
        gpu.launch(program, x=x, at=3)
        np.testing.assert_array_equal(x, [0, 0, 0, 1, 0, 0, 0, 0])
        part = np.zeros((4, 4), np.uint32)
        gpu.launch(program, x=part[:, 1], at=2)  # not contiguous
        self.assertEqual(part[2, 1], 1)
        self.assertEqual(part.sum(), 1)


COPY = """
.kernel copy
.param x : f32[]
.param y : f32[]
.reg t, v, p:2
        s2r           t, %tid.x
        ld.param.b64  p, [x]
        mad.wide.u32  p, t, 4, p
        ld.global.b32 v, [p]
        ld.param.b64  p, [y]
        mad.wide.u32  p, t, 4, p
        st.global.b32 [p], v
        exit
"""


class Given(unittest.TestCase):
    """Accepted inputs, and outputs refused because the results would be lost."""

    def setUp(self):
        self.gpu = heddle.Context()
        self.program = self.gpu.load("copy.hd", COPY)
        self.x = np.arange(4, dtype=np.float32)

    def copy(self, x, y):
        self.gpu.launch(self.program, block=4, x=x, y=y)

    def refused(self, y, words, x=None):
        before = bytes(memoryview(np.ascontiguousarray(y)).cast("B")) if isinstance(y, np.ndarray) else None
        with self.assertRaisesRegex(ValueError, words):
            self.copy(self.x if x is None else x, y)
        if before is not None:
            self.assertEqual(bytes(memoryview(np.ascontiguousarray(y)).cast("B")), before)

    def test_the_program_tells_what_it_writes_to(self):
        self.assertEqual([(p.name, p.written) for p in self.program.kernels["copy"].params], [("x", False), ("y", True)])

    def test_outputs_that_cannot_be_written_to_are_refused(self):
        locked = np.zeros(4, np.float32)
        locked.flags.writeable = False
        message = "^y is read-only, and the kernel may write to it$"
        self.refused(locked, message)
        self.refused(locked[:], message)
        self.refused(np.broadcast_to(np.float32(1), 4), message)
        self.refused(np.frombuffer(bytes(16), np.float32), message)
        self.refused(memoryview(np.zeros(4, np.float32)).toreadonly(), message)
        self.refused(bytes(16), message)
        self.refused([0, 0, 0, 0], "^y is a list, and the kernel may write to it")
        own = self.gpu.zeros("own", 4)
        seen = own.view()
        seen.flags.writeable = False
        self.refused(seen, message)

    def test_outputs_whose_elements_share_memory_are_refused(self):
        stride = np.lib.stride_tricks.as_strided
        z = np.zeros(16, np.float32)
        for y in (stride(z, (4,), (0,)), stride(z, (4,), (2,)), stride(z, (2, 2), (4, 4)), stride(z, (3, 2), (4, 8))):
            self.refused(y, "^y has elements that share memory")
        self.refused(z[2:6], "^y overlaps x in memory", x=z[:4])
        self.refused(z[:4], "^y overlaps x in memory", x=z[3::-1])

    def test_outputs_of_any_layout_are_written_to(self):
        z = np.zeros((4, 4), np.float32)
        for y in (z[:, 1], z[::-1, 2], z[0], z[::2, ::2]):
            self.copy(self.x, y)
            np.testing.assert_array_equal(y.ravel(), self.x)
        pairs = np.lib.stride_tricks.as_strided(np.zeros(16, np.float32), (2, 2), (8, 12))  # interleaved, apart
        self.copy(self.x, pairs)
        np.testing.assert_array_equal(pairs.ravel(), self.x)
        halves = np.zeros(8, np.float32)
        self.copy(halves[::2], halves[1::2])
        raw = array.array("f", [0] * 4)
        self.copy(self.x, raw)
        self.assertEqual(raw.tolist(), [0, 1, 2, 3])

    def test_one_array_for_two_parameters_is_one_buffer(self):
        a = np.arange(4, dtype=np.float32)
        self.copy(a, a)
        np.testing.assert_array_equal(a, [0, 1, 2, 3])
        own = COPY.replace("ld.global.b32 v, [p]", "st.global.b32 [p], t").replace(
            "st.global.b32 [p], v", "ld.global.b32 v, [p]\n        add.u32       v, v, v\n        st.global.b32 [p], v")
        b = np.zeros(4, np.uint32)
        self.gpu.launch(self.gpu.load("own.hd", own.replace("f32", "u32")), block=4, x=b, y=b)
        self.assertEqual(b.tolist(), [0, 2, 4, 6])  # what was written to x is read from y

    def test_inputs_may_be_read_only_or_lists(self):
        y = np.zeros(4, np.float32)
        locked = self.x.copy()
        locked.flags.writeable = False
        for x in (locked, memoryview(self.x), np.broadcast_to(self.x, (2, 4))[1], self.x.tobytes() and [0, 1, 2, 3],
                  (0, 1.0, 2, np.float32(3)), [[0, 1], [2, 3]], [True - 1, 1, 2, 3]):
            y[:] = 0
            self.copy(x, y)
            np.testing.assert_array_equal(y, self.x)
        self.assertEqual(self.gpu["x"].shape, (4,))

    def test_lists_are_exact_or_refused(self):
        gpu, whole = self.gpu, self.gpu.load("whole.hd", COPY.replace("f32", "u32"))
        y = np.zeros(4, np.uint32)
        gpu.launch(whole, block=4, x=[0, 2**32 - 1, 1e3, True], y=y)
        self.assertEqual(y.tolist(), [0, 2**32 - 1, 1000, 1])
        for x, words in (([1, 2.5], "whole number"), ([1, -1], "range"), ([1, "2"], "not str"), ([1, None], "not NoneType"),
                         ([[1, 2], [3]], "different lengths"), ([1, [2]], "different lengths")):
            with self.assertRaisesRegex(heddle.InputError, words):
                gpu.launch(whole, block=4, x=x, y=y)
        raw = gpu.load("raw.hd", COPY.replace("f32", "b32"))
        for x, want in (([1, 2], np.uint32), ([1, -2], np.int32), ([1, 2.5], np.float32)):
            gpu.launch(raw, block=2, x=x, y=y)
            self.assertEqual(gpu["x"].dtype, want)


class Tensor:
    """An array of another maker, which has DLPack and no more."""

    def __init__(self, array, device=(1, 0), read_only=False, versions=True):
        self.array, self.device, self.read_only, self.versions = array, device, read_only, versions
        self.freed = 0

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **options):
        if options and not self.versions:
            raise TypeError("no options")
        kind = "struct dl_versioned *" if options else "struct dl_managed *"
        managed = dlpack.ffi.new(kind)
        tensor = managed.tensor
        shape, steps = (dlpack.ffi.new("int64_t[]", list(n)) for n in (
            self.array.shape, [s // self.array.itemsize for s in self.array.strides]))
        tensor.data = dlpack.ffi.cast("void *", self.array.ctypes.data)
        tensor.device_type, tensor.device_id, tensor.ndim = *self.device, self.array.ndim
        tensor.code, tensor.bits, tensor.lanes = "iuf".index(self.array.dtype.kind), 8 * self.array.itemsize, 1
        tensor.shape, tensor.strides = shape, steps
        if options:
            managed.major, managed.flags = 1, self.read_only
        deleter = dlpack.ffi.callback(f"void({kind})", self.free)
        managed.deleter = deleter
        self.kept = managed, shape, steps, deleter
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        return new(int(dlpack.ffi.cast("uintptr_t", managed)), b"dltensor_versioned" if options else b"dltensor", None)

    def free(self, _managed):
        self.freed += 1


class DLPack(unittest.TestCase):
    def setUp(self):
        self.gpu = heddle.Context()
        self.program = self.gpu.load("copy.hd", COPY)

    def copy(self, x, y):
        self.gpu.launch(self.program, block=4, x=x, y=y)

    def test_tensors_are_read_and_written_in_place(self):
        for versions in (False, True):
            x, y = np.arange(4, dtype=np.float32), np.zeros((4, 2), np.float32)
            one, other = Tensor(x, versions=versions), Tensor(y[:, 1], versions=versions)
            self.copy(one, other)
            np.testing.assert_array_equal(y, [[0, 0], [0, 1], [0, 2], [0, 3]])
            gc.collect()
            self.assertEqual((one.freed, other.freed), (1, 1))
            self.assertTrue(np.shares_memory(dlpack.from_dlpack(Tensor(x, versions=versions)), x))

    def test_a_read_only_tensor_is_an_input_alone(self):
        x, y = np.ones(4, np.float32), np.zeros(4, np.float32)
        self.copy(Tensor(x, read_only=True), y)
        np.testing.assert_array_equal(y, x)
        with self.assertRaisesRegex(ValueError, "^y is read-only, and the kernel may write to it$"):
            self.copy(x, Tensor(y, read_only=True))

    def test_other_devices_and_types_are_refused(self):
        x = np.ones(4, np.float32)
        for device, words in (((2, 0), "^x lies on a CUDA GPU: "), ((8, 0), "Metal"), ((99, 1), "device 99")):
            with self.assertRaisesRegex(heddle.InputError, words):
                self.copy(Tensor(x, device=device), x.copy())

    def test_a_number_may_be_a_tensor(self):
        poke = self.gpu.load("poke.hd", POKE)
        x = np.zeros(4, np.uint32)
        self.gpu.launch(poke, x=x, at=np.array(2))
        self.assertEqual(x.tolist(), [0, 0, 1, 0])

    def test_numpy_takes_the_memory_of_buffers(self):
        x = self.gpu.zeros("x", 4)
        other = np.from_dlpack(x)
        x[2] = 5
        self.assertEqual(other[2], 5)

    @unittest.skipUnless(importlib.util.find_spec("torch"), "torch is missing (python3-torch)")
    def test_torch_shares_memory_both_ways(self):
        import torch
        x, y = torch.arange(4, dtype=torch.float32), torch.zeros(4, 2)
        self.copy(x, y[:, 1])
        self.assertEqual(y[:, 1].tolist(), [0, 1, 2, 3])
        taken = torch.from_dlpack(self.gpu.zeros("z", 4))
        taken[3] = 7
        self.assertEqual(self.gpu["z"].tolist(), [0, 0, 0, 7])
        self.gpu.launch(self.gpu.load("poke.hd", POKE), x=torch.zeros(4, dtype=torch.int32).numpy().view(np.uint32),
                        at=torch.tensor(1))


class SameAsTheCommand(unittest.TestCase):
    def run_json(self, folder, *options):
        command = [os.environ["HEDDLE"], "run", "classic/saxpy", "--grid", "4", "--block", "64", "--arg", "a=2.5", "--arg",
                   "n=250", "--in", f"x={folder}/x.npy", "--inout", f"y={folder}/y.npy:{folder}/z.npy", "--json", "-"]
        return json.loads(subprocess.run([*command, *options], check=True, capture_output=True).stdout)

    def test_every_count_agrees(self):
        x, y = np.arange(250, dtype=np.float32), np.ones(250, np.float32)
        with tempfile.TemporaryDirectory() as folder:
            np.save(f"{folder}/x.npy", x)
            np.save(f"{folder}/y.npy", y)
            told = self.run_json(folder, "--board", "v100", "--set", "sms=2")
            gpu = heddle.Context("v100", set={"sms": 2})
            got = saxpy(gpu, gpu.array("x", x), gpu.array("y", y))
            np.testing.assert_array_equal(np.load(f"{folder}/z.npy"), gpu["y"])
        launch = told["launches"][0] if "launches" in told else told
        self.assertEqual(got.cycles, launch["cycles"])
        self.assertEqual(got.limiter, launch["limiter"])
        self.assertEqual(got.hint, launch["hint"])
        self.assertEqual([(a.rule, a.gain, a.text) for a in got.advice],
                         [(a["rule"], a["gain"], a["text"]) for a in launch["advice"]])
        names = [name for name in launch["metrics"] if launch["metrics"][name] is not None]
        self.assertEqual(sorted(got.metrics), sorted(names))
        for name in names:
            self.assertEqual(got.metrics[name], launch["metrics"][name], name)

    def test_launches_at_one_time_agree(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in "xy":
                np.save(f"{folder}/{name}.npy", np.arange(250, dtype=np.float32))
            other = (f"classic/saxpy --grid 2 --block 128 --arg a=3 --arg n=250 --in x={folder}/x.npy "
                     f"--inout y={folder}/y.npy:{folder}/w.npy --priority 2")
            told = self.run_json(folder, "--board", "v100", "--beside", other)
        gpu = heddle.Context("v100")
        data = {name: gpu.array(name, np.arange(250, dtype=np.float32)) for name in ("x", "y", "1.x", "1.y")}
        first = {"program": "classic/saxpy", "grid": 4, "block": 64, "a": 2.5, "n": 250, "x": data["x"], "y": data["y"]}
        results, board = gpu.launch_all([first, {**first, "grid": 2, "block": 128, "a": 3, "x": data["1.x"],
                                                 "y": data["1.y"], "priority": 2}])
        for got, launch in zip([*results, board], [*told["launches"], told["shared"]]):
            self.assertEqual(got.cycles, launch["cycles"])
        for got, launch in zip(results, told["launches"]):
            for name in ("priority", "first_block", "sm_cycles", "alone_cycles", "slowdown"):
                self.assertEqual(getattr(got, name), launch[name], name)
        np.testing.assert_array_equal(gpu["y"], 3.5 * np.arange(250, dtype=np.float32))
        np.testing.assert_array_equal(gpu["1.y"], 4 * np.arange(250, dtype=np.float32))
        with self.assertRaisesRegex(heddle.InputError, "an array of the context is needed"):
            gpu.launch_all([{**first, "y": np.ones(250, np.float32)}])
        with self.assertRaisesRegex(heddle.InputError, "'y : f32.n.' is not given"):
            gpu.launch_all([{"program": "classic/saxpy", "grid": 1, "block": 32, "x": data["x"], "a": 1, "n": 1}])
        with self.assertRaises(heddle.Fault):
            gpu.launch_all([{**first, "max_instructions": 3}, {**first, "max_instructions": 3}])

    def test_no_field_of_the_header_is_forgotten(self):
        # Fields that Python leaves out, and why: a fault is raised; counts are lengths; no launch is watched from here;
        # the rest is in another form.
        left_out = {"struct heddle_result": {"fault", "nstalls", "events", "complete"},
                    "struct heddle_line_count": {"value"},
                    "struct heddle_traffic": {"value"}, "struct heddle_channel": {"value"}, "struct heddle_column": {"kind", "lanes", "value", "text"},
                    "struct heddle_proof": {"name", "fault"}, "struct heddle_proof_element": {"from"},
                    "struct heddle_proof_findings": {"count"}, "struct heddle_isa_row": {"class_"}}
        more = {"Result": {"case", "inputs", "outputs"}, "Line": {"columns"}, "Traffic": {"columns"}, "Channel": {"columns"}, "Column": {"values"}, "Element": {"from_"},
                "Instruction": {"class_name"}}
        for cls, name in {
                result.Result: "result", result.Line: "line_count", result.Traffic: "traffic", result.Channel: "channel", result.Part: "part", result.Replayed: "replayed", result.Finding: "finding",
                result.Advice: "advice", result.Energy: "energy",
                result.Place: "finding_place", result.FaultInfo: "fault_info", result.Use: "use", result.Explained: "explained",
                result.Column: "column", result.Spread: "spread", result.Bin: "bin", result.Step: "order_step",
                result.Order: "order", result.Orders: "orders", proof.Proof: "proof", proof.Side: "proof_side",
                proof.Difference: "proof_difference", proof.Depends: "proof_depends",
                proof.Element: "proof_element", proof.Solver: "proof_solver", proof.Findings: "proof_findings",
                heddle.Value: "board_value", heddle.Peak: "board_peak", heddle.Param: "param_info",
                heddle.Instruction: "isa_row"}.items():
            struct = f"struct heddle_{name}"
            fields = {field for field, _ in _native.ffi.typeof(struct).fields}
            counts = {f for f in fields if f[0] == "n" and (f[1:] in fields or f[1:].rstrip("s") in fields)}
            want = fields - counts - left_out.get(struct, set()) | more.get(cls.__name__, set())
            self.assertEqual({field.name for field in dataclasses.fields(cls)}, want, struct)


class Errors(unittest.TestCase):
    def test_a_mistake_has_a_place(self):
        with self.assertRaises(heddle.InputError) as caught:
            heddle.Context().load("k.hd", ".kernel k\n        exit\n        foo r1\n")
        self.assertEqual((caught.exception.file, caught.exception.line, caught.exception.column), ("k.hd", 3, 9))

    def test_a_file_in_another_language_is_named(self):
        with self.assertRaisesRegex(heddle.InputError, "this is PTX, which heddle does not read") as caught:
            heddle.Context().load("k.ptx", "//\n.version 8.0\n.target sm_80\n")
        self.assertEqual((caught.exception.file, caught.exception.line, caught.exception.column), ("k.ptx", 2, 1))

    def test_a_fault_has_one_too(self):
        with self.assertRaises(heddle.Fault) as caught:
            gpu = heddle.Context()
            gpu.launch(gpu.load("poke.hd", POKE), x=np.zeros(4, np.uint32), at=4)
        fault = caught.exception
        self.assertEqual((fault.kind, fault.line, fault.lane), ("out_of_bounds", 10, 0))
        self.assertEqual(fault.info.to_dict()["kernel"], "poke")

    def test_wrong_input_is_refused_in_words(self):
        gpu = heddle.Context()
        x = np.zeros(64, np.float32)
        for call, word in (
                (lambda: heddle.Context("a1000"), "'a100'.; boards that ship"),
                (lambda: gpu.load("classic/saxpi"), "did you mean 'classic/saxpy'"),
                (lambda: gpu.load("divergense"), "did you mean 'classic/divergence'"),
                (lambda: gpu.launch("classic/saxpy", gird=1), "'saxpy' has no parameter of that name; did you mean 'grid'"),
                (lambda: heddle.run("classic/saxpy", borad="a100"), "did you mean 'board'"),
                (lambda: gpu.launch("classic/saxpy", entry="saxpi", x=x, y=x, a=1, n=1), "did you mean 'saxpy'"),
                (lambda: gpu.launch("classic/saxpy", xx=x), "did you mean 'x'"),
                (lambda: heddle.Context("a100", set={"l2.slice": 3}), "l2.slices"),
                (lambda: heddle.Context(max_memory="lots"), "no size"),
                (lambda: gpu.load("no/such"), "no such file"),
                (lambda: gpu.load("saxpy"), "several that ship"),
                (lambda: gpu.launch("classic/saxpy", x=x, y=x, a="b", n=1), "'b'"),
                (lambda: gpu.launch("classic/saxpy", x=x, y=x, a=1, n=[1]), "n: a number"),
                (lambda: gpu.launch("classic/saxpy", x=x, y=x, a=1), "'n"),
                (lambda: gpu.launch("classic/saxpy", x=x, y=x, a=1, n=1, grid=0), "grid"),
                (lambda: gpu.launch("classic/saxpy", x=x, y=x, a=1, n=1, grid=2.5), "grid"),
                (lambda: gpu.launch("classic/saxpy", x=x, y=x, a=1, n=1, block=(1, 1, 1, 1)), "block"),
                (lambda: gpu.launch("classic/saxpy", x=x, y=x, a=1, n=1, warp=7), "warp"),
                (lambda: heddle.run("classic/saxpy", board="v100", x=x, y=x, a=1, n=1, grid=(1, 65536)), "65,535 in y"),
                (lambda: gpu.launch("classic/saxpy", x=x, y=x, a=1, n=1, threads=-1), "threads"),
                (lambda: gpu.launch("classic/saxpy", x=x, y=x, a=1, n=1, caches="hot"), "caches"),
                (lambda: gpu.launch("classic/saxpy", x=x, y=x, a=1, n=1, check="rice"), "rice"),
                (lambda: gpu.launch("classic/saxpy", x=x, y=x, a=1, n=1, explain="38"), "explain"),
                (lambda: gpu.array("x", np.array(["a"])), "element type"),
                (lambda: gpu.zeros("x", (-1,)), "shape"),
                (lambda: gpu.zeros("x", (1,) * 9), "shape"),
                (lambda: gpu.zeros("", 1), "name"),
                (lambda: gpu.prove("classic/saxpy", "classic/saxpy", {"x": "f32"}), "TYPE[SHAPE]"),
                (lambda: gpu.prove("classic/saxpy", "classic/saxpy", {"x": "io:f32[4]"}), "role"),
                (lambda: heddle.manual("fmaa"), "fma")):
            with self.assertRaisesRegex(heddle.Error, word.replace("[", r"\[")):
                call()
        with self.assertRaises(KeyError):
            gpu.board["l2.slice"]

    def test_memory_is_bounded(self):
        with self.assertRaises(heddle.OutOfMemory):
            heddle.Context(max_memory="1M").zeros("x", 1 << 20)

    def test_an_exception_of_progress_ends_the_launch(self):
        shares = []

        def progress(share):
            shares.append(share)
            raise KeyboardInterrupt

        x = np.zeros(1 << 20, np.float32)
        with self.assertRaises(KeyboardInterrupt):
            heddle.run("classic/saxpy", board="a100", grid=4096, block=256, x=x, y=x.copy(), a=1, n=x.size,
                       progress=progress)
        self.assertEqual(len(shares), 1)


class Files(unittest.TestCase):
    def test_kernels_and_boards_name_other_files(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "lib").mkdir()
            (root / "lib" / "one.hd").write_text(".equ ONE, 7\n")
            (root / "k.hd").write_text('.include "lib/one.hd"\n' + POKE.replace("one, 1", "one, ONE"))
            (root / "own.yaml").write_text(f"name: own\nbase: {ROOT}/configs/teach8.yaml\nsms: 1\n")
            gpu, x = heddle.Context(f"{root}/own.yaml"), np.zeros(2, np.uint32)
            gpu.launch(f"{root}/k.hd", x=x, at=1)
            self.assertEqual(x[1], 7)
            self.assertEqual((gpu.board.name, gpu.board["sms"]), ("own", 1))
            again = heddle.Context()
            again.launch(again.load("k.hdo", gpu.load(f"{root}/k.hd").object), x=x, at=0)
            self.assertEqual(x[0], 7)

    def test_boards_build_on_what_ships(self):
        with tempfile.TemporaryDirectory() as folder:
            own = pathlib.Path(folder) / "own.yaml"
            own.write_text("base: a100\nsms: 1\n")
            board = heddle.Context(str(own)).board
            self.assertEqual((board["sms"], board["dram.channels"]), (1, heddle.Context("a100").board["dram.channels"]))
            self.assertTrue(board.value("lsu.queue").origin.startswith("v100.yaml:"))

    def test_dram_by_bank_and_by_command(self):
        gpu = heddle.Context("v100", set={"dram.energy": "commands"})
        plain, banks = (gpu.launch("classic/transpose_tiled", case=1, dram_banks=on) for on in (False, True))
        self.assertEqual(plain.channels[0].banks, ())
        for channel in banks.channels:
            self.assertEqual(sum(b.columns["bus_cycles"] for b in channel.banks) + channel.columns["idle_cycles"],
                             channel.columns["bus_cycles"])
        parts = [part.picojoules for name, part in banks.energy.items() if name.startswith("energy.dram_")]
        self.assertAlmostEqual(sum(parts) / (1e12 * banks.metrics["energy.dram"]), 1)

    def test_what_ships_is_found_by_name(self):
        gpu = heddle.Context()
        for name in ("divergence", "classic/divergence", "classic/divergence.hd"):
            self.assertEqual(list(gpu.load(name).kernels), ["divergence"])
        for board in heddle.boards():
            self.assertEqual(heddle.Context(board).board.to_dict()["sms"], heddle.Context(board).board["sms"])


class Options(unittest.TestCase):
    def test_launch_options_reach_the_launch(self):
        gpu = heddle.Context("teach8")
        x = gpu.array("x", np.arange(256, dtype=np.float32))
        y = gpu.zeros("y", 256)
        cold = saxpy(gpu, x, y)
        self.assertGreater(cold.cycles, saxpy(gpu, x, y, caches="warm").cycles)
        self.assertFalse(saxpy(gpu, x, y, functional=True).timed)
        self.assertEqual(saxpy(gpu, x, y, threads=3).cycles, cold.cycles)
        self.assertEqual(saxpy(gpu, x, y, check="race").checked, "race")
        self.assertEqual(saxpy(gpu, x, y, engine="baseline").engine, "baseline")
        with self.assertRaises(heddle.Fault):
            saxpy(gpu, x, y, max_cycles=10)
        with self.assertRaises(heddle.Fault):
            saxpy(gpu, x, y, max_instructions=10)

    def test_rules_of_the_hardware(self):
        gpu = heddle.Context("teach8")
        y = gpu.zeros("y", 8, "u32")
        with self.assertRaises(heddle.Fault):
            gpu.launch("isa/rules", entry="absent", block=8, warp=8, y=y)
        done = gpu.launch("isa/rules", entry="absent", block=8, warp=8, y=y, rules="hardware")
        self.assertEqual((done.rules, done.lenient_shuffles, y.tolist()), ("hardware", 1, [2, 4, 6, 8, 8, 0, 0, 0]))
        lock, n = gpu.zeros("lock", 1, "u32"), gpu.zeros("n", 1, "u32")
        done = gpu.launch("isa/progress", entry="lock", block=64, lock=lock, n=n, rules="hardware")
        self.assertEqual((done.lenient_paths > 0, n.tolist()), (True, [64]))
        gpu.load_board("teach8", {"launch.rules": "hardware"})
        self.assertEqual(gpu.launch("isa/rules", entry="absent", block=8, warp=8, y=y).lenient_shuffles, 1)
        with self.assertRaises(heddle.Fault):
            gpu.launch("isa/rules", entry="absent", block=8, warp=8, y=y, functional=True)

    def test_cooperative(self):
        gpu = heddle.Context()
        y = gpu.zeros("y", 600, "u32")
        data = {"grid": 600, "block": 8, "warp": 8, "count": gpu.zeros("count", 1, "u32"), "x": gpu.zeros("x", 600, "u32"),
                "y": y}
        self.assertTrue(gpu.launch("isa/grid", cooperative=True, **data).cooperative)
        self.assertEqual(y.tolist(), [*range(1, 600), 0])
        gpu.load_board("teach8")
        with self.assertRaisesRegex(heddle.InputError, "a cooperative grid of 600 blocks, and board 'teach8' holds 4"):
            gpu.launch("isa/grid", cooperative=True, **data)

    def test_lines_that_lanes_print(self):
        for board in None, "teach8":
            gpu = heddle.Context()
            if board:
                gpu.load_board(board)
            done = gpu.launch("isa/print", entry="print", grid=2, block=2)
            self.assertEqual([line.text for line in done.printed[:2]],
                             ["block 0 thread 0:  -0.50", "block 0 thread 1:   0.25"])
            self.assertEqual([(line.block[0], line.lane) for line in done.printed],
                             [(block, lane) for block in (0, 1) for lane in (0, 1, 1)])
            self.assertFalse(done.printed_dropped)

    def test_constants_and_variables_of_the_module(self):
        gpu = heddle.Context()
        program = gpu.load("isa/module")
        self.assertEqual([(v.name, v.space) for v in gpu.variables(program)],
                         [("w", "const"), ("sums", "global"), ("table", "global"), ("seen", "global")])
        y = gpu.zeros("y", 8)
        gpu.launch(program, y=y, bias="1,2", warp=8)
        np.testing.assert_array_equal(y, [11, 21, 1, 1] * 2)
        self.assertEqual(gpu["sums"].tolist(), [32, 0])
        gpu.launch(program, y=y, bias=np.float32([0.5, 0]), w=np.float32([1, 2, 3, 4]), warp=8)
        np.testing.assert_array_equal(y, [1.5, 2.5, 3.5, 4.5] * 2)

    def test_pointers_into_buffers(self):
        gpu = heddle.Context()
        x = gpu.array("x", np.arange(128, dtype=np.float32))
        gpu.launch("classic/saxpy", x="x+256", y=x, a=1, n=64, **SAXPY)
        np.testing.assert_array_equal(x[:64], np.arange(64) * 2 + 64)
        with self.assertRaisesRegex(heddle.Fault, "null|below"):
            gpu.launch("classic/saxpy", x=None, y=x, a=1, n=64, **SAXPY)

    def test_shared_memory_that_the_launch_sizes(self):
        gpu = heddle.Context()
        y = gpu.zeros("y", 16, "u32")
        done = gpu.launch("isa/launched", entry="dynamic", block=16, shared_bytes=64, y=y)
        self.assertEqual(done.shared_bytes, 64)
        np.testing.assert_array_equal(y, np.arange(15, -1, -1))
        self.assertEqual(heddle.run("isa/launched", case=1).shared_bytes, 256)
        with self.assertRaisesRegex(heddle.Fault, "to which the launch gives 60 bytes"):
            gpu.launch("isa/launched", entry="dynamic", block=16, shared_bytes=60, y=y)
        self.assertTrue(heddle.prove("isa/launched", "isa/launched", {"y": "out:u32[16]"}, entry="dynamic", block=16,
                                     warp=16, shared_bytes=64, solver="none"))

    def test_what_counts_as_written(self):
        ways = [_native.ffi.new("const char **") for _ in range(3)] + [_native.ffi.new("bool *")]
        rows = []
        while _native.lib.heddle_content(len(rows), *ways):
            rows.append((_native.text(ways[0][0]), ways[3][0]))
        self.assertEqual([written for where, written in rows if where == "Python"], [True, True])
        for make in (lambda gpu: gpu.zeros("z", 4, "u32"), lambda gpu: gpu.array("z", [0] * 4, np.uint32),
                     lambda gpu: gpu.csv("z", "0,0,0,0\n", "u32"), lambda gpu: np.zeros(4, np.uint32)):
            gpu = heddle.Context()
            found = gpu.launch(gpu.load(str(COUNT)), block=32, warp=32, z=make(gpu), check="all").findings
            self.assertEqual(found, ())
        self.assertEqual(gpu.launch("classic/compact", case=1, check="all").findings, ())
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "case.hd")
            path.write_text(";! run count grid=1 block=32 warp=32\n;! out z : u32[4]\n" + COUNT.read_text())
            self.assertEqual(gpu.launch(str(path), case=1, check="all").findings[0].kind, "init")

    def test_checkers_orders_and_explanations_come_as_objects(self):
        gpu = heddle.Context()
        x = gpu.zeros("x", 4, "u32")
        program = gpu.load("poke.hd", POKE)
        found = gpu.launch(program, block=64, x=x, at=1, check="race", warp=32, explain=10)
        self.assertEqual([f.class_ for f in found.findings], ["same-value"])
        self.assertEqual(found.findings[0].places[0].line, 10)
        allowed = gpu.launch(program, block=64, x=x, at=1, check="race", warp=32, suppressions="allow race in poke: flag")
        self.assertEqual((allowed.allowed, allowed.findings[0].allowed), (1, "flag"))
        known = gpu.launch(program, block=64, x=x, at=1, check="race", warp=32, baseline=found.findings[0].baseline)
        self.assertTrue(known.findings[0].known)
        self.assertEqual(found.explain[0].columns[0].values.keys(), set(range(32)))
        orders = gpu.launch(program, block=64, x=x, at=1, warp=32, schedule="all").orders
        self.assertTrue(orders.same and orders.all)
        self.assertEqual(json.loads(json.dumps(found.to_dict()))["findings"][0]["where"], "x[1]")
        self.assertIn("<table>", found._repr_html_())


CASES = """
;! run poke name=one
;! inout x : u32[n] = iota
;! arg at=3 n=4
;! expect x = i == 3 and 1 or i
;! run poke name=wrong board=teach32
;! inout x : u32[8] = fill 7
;! arg at=0 n=8
;! expect x = 7
;! run poke name=past
;! out x : u32[1]
;! arg at=1000000 n=1
;! fault out_of_bounds
""" + POKE.replace("x : u32[]", "x : u32[n]").replace(".reg i", ".param n : u32\n.reg i")


class Cases(unittest.TestCase):
    """Cases of kernel files, beside what the command makes of them."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "poke.hd")
        pathlib.Path(self.file).write_text(CASES)

    def test_a_case_is_that_of_the_command(self):
        for name, options in (("classic/divergence", {"case": "big", "board": "v100"}), ("classic/divergence", {}),
                              ("classic/saxpy", {"board": "v100"}), ("classic/saxpy", {"board": "teach32"}),
                              ("classic/saxpy", {"case": 2, "warp": 8}), ("classic/scan", {"case": "scan:2"}),
                              ("classic/collatz", {"board": "a100", "set": {"sms": 4}})):
            words = [f"--{key}={value}" for key, value in options.items() if key != "set"]
            words += [f"--set={key}={value}" for key, value in options.get("set", {}).items()]
            told = json.loads(subprocess.check_output([os.environ["HEDDLE"], "run", name, "--json", "-", "-q", *words], stderr=subprocess.DEVNULL))
            r = heddle.run(name, **options)
            self.assertEqual((r.case.number, r.case.count, r.case.text), tuple(told["case"][key] for key in ("number", "of", "run")))
            self.assertEqual((r.case.met, r.case.total), tuple(told["case"]["expectations"][key] for key in ("met", "total")))
            self.assertEqual((list(r.grid), list(r.block), r.warp), tuple(told[key] for key in ("grid", "block", "warp")))
            self.assertEqual(r.warp_instructions, told["warp_instructions"])
            self.assertEqual(r.cycles, told["cycles"] if r.timed else 0)

    def test_its_arrays_come_back(self):
        r = heddle.run("classic/saxpy", case=1)
        np.testing.assert_array_equal(r.outputs["y"], 2 * np.arange(250, dtype=np.float32) + 1)
        np.testing.assert_array_equal(r.inputs["x"], np.arange(250, dtype=np.float32))
        self.assertEqual(json.loads(json.dumps(r.to_dict()))["outputs"]["y"][1], 3)

    def test_what_is_given_replaces_the_cases_own(self):
        x = np.full(1000, 5, np.float32)
        r = heddle.run("classic/saxpy", case=1, x=x, n=1000, a=3, grid=16)
        np.testing.assert_array_equal(r.outputs["y"], np.full(1000, 16))
        self.assertEqual((r.case.total, r.grid, r.block), (0, (16, 1, 1), (64, 1, 1)))
        y = np.zeros(250, np.float32)
        heddle.run("classic/saxpy", case=1, y=y)
        self.assertEqual(y[3], 6)
        self.assertIsNone(heddle.run("classic/saxpy", block=32, x=[1], y=y[:1], a=1, n=1).case)
        self.assertIsNone(heddle.Context().launch("bench/start", block=32, out=np.zeros(32, np.uint32)).case)

    def test_no_case_of_that_name(self):
        for which, near in (("onee", "; did you mean 'one'\\? the"), (7, "; the"), ("poke:9", "")):
            with self.assertRaisesRegex(heddle.InputError, f"no case '{which}'{near}.*1 one, 2 wrong, 3 past"):
                heddle.run(self.file, case=which)
        with self.assertRaisesRegex(heddle.InputError, r"'one\\x00': a text without NUL"):
            heddle.run(self.file, case="one\0")
        with self.assertRaisesRegex(heddle.InputError, "the file has no case"):
            heddle.Context().launch(heddle.Context().load("poke.hd", POKE), case=1)
        with self.assertRaisesRegex(heddle.InputError, "leave out entry"):
            heddle.run(self.file, case=1, entry="poke")
        with self.assertRaisesRegex(heddle.InputError, "^warp: 8, 16, 32 or 64 expected, not 7$"):
            heddle.run(self.file, case=1, warp=7)
        with self.assertRaisesRegex(heddle.InputError, "'x : u32.n.' is not given\n(.*\n)*  case=1 takes all that is not"):
            heddle.run(self.file, at=1)
        with self.assertRaisesRegex(heddle.InputError, "did you mean 'at'"):
            heddle.run(self.file, case=1, att=1)
        with self.assertRaisesRegex(heddle.InputError, "the file has no case"):
            gpu = heddle.Context()
            gpu.launch(gpu.load("k.hdo", gpu.load(self.file).object), case=1)

    def test_expectations_that_are_not_met_are_a_warning(self):
        with self.assertWarnsRegex(UserWarning, "0 of 1 met\n.*poke.hd:9:1: error: .*1 of 8 elements of x are wrong"):
            r = heddle.run(self.file, case="wrong")
        self.assertEqual((r.board, r.case.met, r.case.total, r.outputs["x"].tolist()), ("teach32", 0, 1, [1] + [7] * 7))
        with self.assertRaises(heddle.Fault) as raised:
            heddle.run(self.file, case="past")
        self.assertTrue(raised.exception.expected)
        self.assertEqual(raised.exception.kind, "out_of_bounds")
        with self.assertRaises(heddle.Fault) as raised:
            heddle.run(self.file, case="one", at=99999)
        self.assertFalse(raised.exception.expected)

    def test_a_launch_that_does_not_fit_names_boards_that_take_it(self):
        with self.assertRaisesRegex(heddle.InputError, "takes at most 256\n  boards that take it: a100, .*v100"):
            heddle.run("classic/saxpy", case=1, board="teach8", block=512)
        with self.assertRaisesRegex(heddle.InputError, "functional"):
            heddle.run("classic/saxpy", case=1, board="v100", schedule="all")
        self.assertTrue(heddle.run("classic/saxpy", case=1, board="v100", schedule="all", functional=True).orders.same)

    def test_buffers_of_a_context_are_used_and_kept(self):
        gpu = heddle.Context()
        for _ in range(2):
            gpu.launch(self.file, case=1)
        x = gpu["x"]
        self.assertEqual(x.tolist(), [0, 1, 2, 1])
        with self.assertRaises(BufferError):
            gpu.launch(self.file, case=1)
        x[:] = 5
        r = gpu.launch(self.file, case=1, x=x, at=0)
        self.assertEqual((x.tolist(), r.outputs["x"].tolist()), ([1, 5, 5, 5], [1, 5, 5, 5]))
        other = gpu.zeros("other", 4, "u32")
        gpu.launch(self.file, case=1, x=other)
        self.assertEqual((x.tolist(), other.tolist()), ([1, 5, 5, 5], [0, 0, 0, 1]))
        del x, other
        gc.collect()


class Proofs(unittest.TestCase):
    ROLES = {"src": "in:u32[64]", "dst": ("u32", (64,), "out")}

    def test_equal_kernels_are_proved(self):
        proof = heddle.prove("reorder/shared_linear", "reorder/transit1", self.ROLES, grid=1, block=32, warp=32, count=64)
        self.assertTrue(proof)
        self.assertEqual(proof.depends, (None, None))

    def test_a_difference_comes_with_data_that_show_it(self):
        gpu = heddle.Context()
        one, two = gpu.load("a.hd", POKE), gpu.load("b.hd", POKE.replace("one, 1", "one, 2"))
        proof = gpu.prove(one, two, {"x": "u32[8]"}, at=5, solver="none")
        self.assertEqual((proof.verdict, proof.difference.buffer, proof.difference.element), ("different", "x", 5))
        left = []
        for program in (one, two):
            x = np.frombuffer(proof.data["x"], np.uint32).copy()
            gpu.launch(program, x=x, at=5)
            left.append(x)
        self.assertEqual([int(i) for i in np.nonzero(left[0] != left[1])[0]], [5])
        self.assertEqual(record.plain(proof)["difference"]["sides"][0]["written"], True)
        self.assertEqual(proof.name, proof.verdict)
        self.assertIn("register", record.plain(proof)["difference"]["sides"][0])


if __name__ == "__main__":
    unittest.main()
