// The browser's own storage (IndexedDB): rows with names, kept on the disk before anybody is told that they are.

export interface Row {
  id: string;
}

const STORE = "games";

export class Rows<T extends Row> {
  private database: Promise<IDBDatabase> | null = null;

  /** Rows in the database of this name. */
  constructor(private readonly name: string) {}

  async all(): Promise<T[]> {
    const database = await this.open();
    return (await wait(database.transaction(STORE).objectStore(STORE).getAll())) as T[];
  }

  /** Keeps these rows and drops the ones with these names, all of it or nothing. */
  async change(kept: T[], dropped: string[]): Promise<void> {
    const database = await this.open();
    const change = database.transaction(STORE, "readwrite", { durability: "strict" });
    const games = change.objectStore(STORE);
    for (const row of kept) games.put(row);
    for (const id of dropped) games.delete(id);
    await new Promise<void>((done, failed) => {
      change.oncomplete = () => done();
      change.onabort = change.onerror = () => failed(change.error ?? new Error("the games cannot be kept"));
    });
    // So that the browser does not clear it away when room is short; it may ask, or decline.
    if (kept.length) void navigator.storage?.persist?.().catch(() => {});
  }

  private open(): Promise<IDBDatabase> {
    this.database ??= new Promise<IDBDatabase>((done, failed) => {
      const request = indexedDB.open(this.name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
      request.onerror = () => failed(request.error ?? new Error("the browser's storage cannot be opened"));
      request.onblocked = () => failed(new Error("another window of this site has to be closed first"));
      request.onsuccess = () => {
        const database = request.result;
        // A newer version of the page wants to change it.
        database.onversionchange = () => database.close();
        database.onclose = () => (this.database = null);
        done(database);
      };
    });
    this.database.catch(() => (this.database = null));
    return this.database;
  }
}

/** What a server would say to such a failure. */
export function faultOf(error: unknown): { code: string; message: string } {
  const full = error instanceof DOMException && error.name === "QuotaExceededError";
  const message = error instanceof Error ? error.message : String(error);
  return { code: full ? "disk-full" : "games-unavailable", message };
}

function wait<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error("the browser's storage failed"));
  });
}
