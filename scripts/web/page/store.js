// What is in the editor outlives a reload of the page, as long as its tab is open. Where nothing can be kept, nothing is.
const KEY = "heddle-kernel";

// What a link would carry (share.js), and the link of the page, to which it belongs.
export function keep(given, fragment) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ given, fragment }));
  } catch { /* no storage here, or no room */ }
}

export function forget() {
  try {
    sessionStorage.removeItem(KEY);
  } catch { /* no storage here */ }
}

export function kept(fragment) {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY));
    return found?.fragment === fragment ? found.given : null;
  } catch {
    return null;
  }
}
