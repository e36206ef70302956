"""Do the files for editors colour what kernels are made of?"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import heddle

ROOT = pathlib.Path(__file__).resolve().parents[2]

LINES = {  # a line, and the kind of each word
    "        fma.f32.ftz r1, a, 0x1f, 1.5e3 ; sum": [
        ("fma.f32.ftz", "instruction"), ("r1", "register"), ("0x1f", "number"), ("1.5e3", "number"), ("; sum", "comment")],
    "@!p1    bra next": [("@!p1", "guard"), ("bra", "instruction")],
    "next:   s2r i, %ctaid.x": [("next:", "label"), ("s2r", "instruction"), ("%ctaid.x", "special")],
    ".param x : f32[n]": [(".param", "directive"), ("f32", "type")],
    '.include "lib/one.hd" // more': [(".include", "directive"), ('"lib/one.hd"', "string"), ("// more", "comment")],
    "        ld.global.b\\bits v\\i, [at+4]": [("ld.global.b\\bits", "instruction"), ("\\i", "parameter"), ("4", "number")],
    ";! expect y = 2 * i": [(";! expect y = 2 * i", "case")],
}
TEXTMATE = {"instruction": "keyword.operator.instruction", "register": "variable.language.register",
            "number": "constant.numeric", "comment": "comment.line", "guard": "keyword.control.guard",
            "label": "entity.name.label", "special": "constant.language", "directive": "keyword.control.directive",
            "type": "storage.type.element", "string": "string.quoted", "parameter": "variable.parameter",
            "case": "comment.line.documentation"}


def printed(name):
    command = [os.environ["HEDDLE"], "lua", str(ROOT / "scripts" / "editors.lua"), name]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class TextMate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.patterns = [(re.compile(p["match"]), p) for p in json.loads(printed("textmate"))["patterns"]]

    def scopes(self, line):
        """The scope of each character: at each place the first pattern that matches earliest, as editors do."""
        scope, at = [""] * len(line), 0
        while at < len(line):
            found = [(m.start(), i, m, p) for i, (r, p) in enumerate(self.patterns) if (m := r.search(line, at))]
            if not found:
                break
            _, _, match, pattern = min(found, key=lambda f: f[:2])
            scope[match.start():match.end()] = [pattern.get("name", "")] * (match.end() - match.start())
            at = max(match.end(), at + 1)
        return scope

    def test_words_have_their_kind(self):
        for line, words in LINES.items():
            scope = self.scopes(line)
            for word, kind in words:
                at = line.index(word)
                self.assertTrue(all(s.startswith(TEXTMATE[kind]) for s in scope[at:at + len(word)]), (line, word))

    def test_every_instruction_is_one(self):
        for name in heddle.isa():
            self.assertEqual({s.split(".")[2] for s in self.scopes(f"        {name} r1")[8:8 + len(name)]},
                             {"instruction"}, name)

    def test_extension_names_its_files(self):
        contributes = json.loads(printed("vscode"))["contributes"]
        self.assertEqual(contributes["languages"][0]["extensions"], [".hd"])
        self.assertEqual(json.loads(printed("vscode-language"))["comments"]["lineComment"], ";")


@unittest.skipUnless(shutil.which("vim"), "colours in vim are not looked at, vim is missing (make test ONLY=python gets it)")
class Vim(unittest.TestCase):
    def test_words_have_their_kind(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "syntax").mkdir()
            (root / "syntax" / "heddle.vim").write_text(printed("vim"))
            (root / "k.hd").write_text("\n".join(LINES) + "\n")
            (root / "t.vim").write_text(f"""
                set runtimepath^={folder}
                syntax on
                set filetype=heddle
                let out = []
                for l in range(1, line('$'))
                  let names = []
                  for c in range(1, col([l, '$']) - 1)
                    call add(names, synIDattr(synID(l, c, 1), 'name'))
                  endfor
                  call add(out, join(names, ','))
                endfor
                call writefile(out, '{folder}/out')
                qall!
                """)
            subprocess.run(["vim", "-es", "-u", "NONE", "-S", f"{folder}/t.vim", f"{folder}/k.hd"], timeout=60,
                           stdin=subprocess.DEVNULL, check=False)
            for line, names in zip(LINES, (root / "out").read_text().splitlines(), strict=True):
                kinds = [name[6:].lower() for name in names.split(",")]
                for word, kind in LINES[line]:
                    at = line.index(word)
                    self.assertEqual(set(kinds[at:at + len(word)]), {kind}, (line, word))
