// Files of one build. Each is hashed before anybody may use it; what differs is refused by name.

export class FileFault extends Error {
  constructor(kind, file) {
    super(`${kind}: ${file}`);
    this.kind = kind;
    this.file = file;
  }
}

// hashing needs a secure context: https, or this very machine
export const canVerify = () => Boolean(globalThis.isSecureContext && globalThis.crypto?.subtle);

export const nameOf = (path) => String(path).split("/").pop();

export const hexOf = async (bytes) => {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

const readAll = async (response, onBytes) => {
  const chunks = [];
  let size = 0;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    size += part.value.length;
    onBytes(part.value.length);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
};

const bytesOf = async (url, onBytes, options = {}) => {
  try {
    const response = await fetch(url, options);
    if (!response.ok) throw new Error(String(response.status));
    return await readAll(response, onBytes);
  } catch {
    throw new FileFault("missing_file", nameOf(url));
  }
};

const forget = async (url) => {
  for (const name of await caches.keys()) await (await caches.open(name)).delete(url, { ignoreVary: true });
};

// the bytes of a file whose SHA-256 is `sha256`; a copy in this browser may be torn, so the site itself is asked before
// a file is refused
export const loadFile = async (url, sha256, onBytes = () => {}) => {
  const bytes = await bytesOf(url, onBytes);
  if ((await hexOf(bytes)) === sha256) return bytes;
  await forget(url).catch(() => {});
  const again = await bytesOf(url, () => {}, { cache: "reload" });
  if ((await hexOf(again)) !== sha256) throw new FileFault("refused_file", nameOf(url));
  return again;
};

export const loadJson = async (url, sha256) => JSON.parse(new TextDecoder().decode(await loadFile(url, sha256)));
