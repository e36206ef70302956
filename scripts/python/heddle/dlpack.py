"""Arrays of other makers by DLPack, the exchange of Python's array API: a torch tensor on the CPU as an array of numpy,
without a copy. The other way needs nothing: an array of heddle is one of numpy, which speaks DLPack itself.

numpy.from_dlpack gives arrays that can only be read, before numpy 2.1, and does not ask whether a tensor is read-only.
"""

from __future__ import annotations

import ctypes
from typing import Any, Optional

import numpy as np

from ._native import ffi
from .errors import InputError

# https://dmlc.github.io/dlpack/latest/c_api.html
ffi.cdef("""
struct dl_tensor {
    void *data;
    int32_t device_type, device_id, ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides; /* in elements; strides NULL = C order */
    uint64_t byte_offset;
};
struct dl_managed { struct dl_tensor tensor; void *context; void (*deleter)(struct dl_managed *); };
struct dl_versioned {
    uint32_t major, minor;
    void *context;
    void (*deleter)(struct dl_versioned *);
    uint64_t flags;
    struct dl_tensor tensor;
};
""")

_CPU = 1
_READ_ONLY = 1  # of `flags`
_KINDS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}
_DEVICES = {2: "a CUDA GPU", 3: "pinned memory of CUDA", 4: "OpenCL", 7: "Vulkan", 8: "Metal", 10: "a ROCm GPU",
            13: "managed memory of CUDA"}

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
_valid = ctypes.pythonapi.PyCapsule_IsValid
_valid.restype, _valid.argtypes = ctypes.c_int, (ctypes.py_object, ctypes.c_char_p)
_rename = ctypes.pythonapi.PyCapsule_SetName
_rename.restype, _rename.argtypes = ctypes.c_int, (ctypes.py_object, ctypes.c_char_p)

# Keeps the addresses of names: a used capsule keeps its new name's address, so it must stay valid.
_FORMS = {b"dltensor": (b"used_dltensor", "struct dl_managed *"),
          b"dltensor_versioned": (b"used_dltensor_versioned", "struct dl_versioned *")}


class _Taken:
    """Keeps the memory of a tensor alive, and provides numpy's interface to it."""

    def __init__(self, managed: Any, interface: dict[str, Any]):
        self._managed = managed
        self.__array_interface__ = interface


def _take(capsule: Any) -> Any:
    """The structure in a capsule, which frees the tensor when it is collected."""
    for name, (used, kind) in _FORMS.items():
        if _valid(capsule, name):
            managed = ffi.cast(kind, _pointer(capsule, name))
            _rename(capsule, used)

            def free(pointer: Any) -> None:
                if pointer.deleter != ffi.NULL:
                    pointer.deleter(pointer)

            return ffi.gc(managed, free)
    raise InputError("__dlpack__ gave no tensor that was not taken before")


def _dtype(name: str, tensor: Any) -> Any:
    kind = _KINDS.get(tensor.code)
    if tensor.code == 4 and tensor.bits == 16 and tensor.lanes == 1:
        return np.dtype("<u2")  # bfloat16: its bits
    if kind is None or tensor.lanes != 1 or tensor.bits % 8:
        raise InputError(f"{name}: heddle has no elements of DLPack's type {tensor.code}, {tensor.bits} bits, "
                         f"{tensor.lanes} lanes")
    return np.dtype(f"{kind}{tensor.bits // 8}")


def _capsule(value: Any) -> Any:
    try:
        return value.__dlpack__(max_version=(1, 0))
    except TypeError:  # of a time before versions
        return value.__dlpack__()


def speaks(value: Any) -> bool:
    return hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__")


def from_dlpack(value: Any, name: str = "tensor") -> Any:
    """The tensor as an array of numpy that sees the same memory; it cannot be written to where its maker says so.

    >>> import numpy as np
    >>> one = np.zeros(3, np.float32)
    >>> other = from_dlpack(one)
    >>> other[1] = 5
    >>> one
    array([0., 5., 0.], dtype=float32)
    """
    device = int(value.__dlpack_device__()[0])
    if device != _CPU:
        where = _DEVICES.get(device, f"DLPack's device {device}")
        raise InputError(f"{name} lies on {where}: heddle simulates in the memory of the CPU; copy it there first, "
                         "in torch by .cpu()")
    managed = _take(_capsule(value))
    versioned = ffi.typeof(managed) is ffi.typeof("struct dl_versioned *")
    if versioned and managed.major != 1:
        raise InputError(f"{name}: its DLPack has version {managed.major}, and heddle knows version 1")
    tensor, read_only = managed.tensor, versioned and bool(managed.flags & _READ_ONLY)
    dtype, shape = _dtype(name, tensor), tuple(tensor.shape[0:tensor.ndim])
    strides: Optional[tuple[int, ...]] = None
    if tensor.strides != ffi.NULL:
        strides = tuple(n * dtype.itemsize for n in tensor.strides[0:tensor.ndim])
    address = int(ffi.cast("uintptr_t", tensor.data)) + tensor.byte_offset
    if 0 in shape:
        return np.zeros(shape, dtype)
    return np.asarray(_Taken(managed, {"version": 3, "shape": shape, "typestr": dtype.str, "strides": strides,
                                       "data": (address, read_only)}))
