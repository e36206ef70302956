#include "sim/sweep/hash.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include <sha2.h>

#include "sim/file/read.h"

struct hash hash_bytes(const void *bytes, size_t len) {
    struct hash h;
    SHA256Data(bytes ? bytes : "", len, h.text);
    return h;
}

/* ---- this program ---- */

static size_t padded(size_t bytes) {
    return (bytes + 3) / 4 * 4;
}

/* Reads a segment of notes: heads, each followed by a name and contents. */
static bool read_notes(const char *at, size_t size, struct hash *h) {
    ElfW(Nhdr) note;
    while (size >= sizeof note) {
        memcpy(&note, at, sizeof note);
        const char *name = at + sizeof note, *id = name + padded(note.n_namesz);
        size_t whole = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
        if (whole > size)
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(name, "GNU", 4) == 0 &&
            note.n_descsz * 2 < sizeof h->text) {
            for (u32 i = 0; i < note.n_descsz; i++)
                snprintf(h->text + 2 * i, 3, "%02x", (unsigned char)id[i]);
            return true;
        }
        at += whole;
        size -= whole;
    }
    return false;
}

/* Reads the first object, which is the program itself; libraries follow. */
static int on_object(struct dl_phdr_info *object, size_t size, void *ctx) {
    (void)size;
    for (u32 i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &object->dlpi_phdr[i];
        const char *at = (const char *)(uintptr_t)(object->dlpi_addr + p->p_vaddr);
        if (p->p_type == PT_NOTE && read_notes(at, p->p_memsz, ctx))
            return 1;
    }
    return -1;
}

bool hash_program(struct hash *hash) {
    struct file_guard guard = {0};
    struct buf text = {0};
    if (dl_iterate_phdr(on_object, hash) == 1)
        return true;
    bool ok = input_read(&guard, "/proc/self/exe", input_text, &text);
    *hash = hash_bytes(text.data, text.len);
    buf_free(&text);
    guard_free(&guard);
    return ok;
}
