// Functions that tests under node share: checks that count, and the end of a suite.
//
//   check(ok, "what is wrong"); refused("a NUL", () => load("\0"), "words of the message"); ended(); skip("no browser");
let passed = 0, failed = 0;
const MOST = 40; // messages printed

export function check(ok, text) {
  if (ok) passed++;
  else if (failed++ < MOST) console.log(text);
  return ok;
}

// The call, or a promise that it returns, fails with these words.
export async function refused(what, call, words) {
  try {
    await call();
  } catch (e) {
    return check(e.message.includes(words), `${what}: ${e.message}`);
  }
  return check(false, `${what} is taken`);
}

// Ends a suite that lacks something, in the words that scripts/test.sh counts.
export function skip(why) {
  console.log(`skipped: ${why}\n0 passed, 0 failed`);
  process.exit();
}

export function ended() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed || !passed ? 1 : 0;
}
