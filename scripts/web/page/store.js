// Keeps the editor's text over a reload of the page, as long as its tab is open, if the browser allows it.
const KEY = "heddle-kernel";

// Stores the contents of a link (share.js), and the page's link, to which they belong.
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
