// Playing a friend on another device: the invitation, the game as the server tells it, and what comes after.

import { api, Refused, type Ending, type GameState, type PlayedMove, type Side } from "../api";
import type { App, View } from "../app";
import { fill, h, icon, keepingFocus } from "../dom";
import { Following, duels, insist, PHRASES, type Deed, type Duel, type Offer } from "../duel/client";
import { houseRules, Invitation, keepLink, linkRow, paceText } from "../duel/panel";
import * as seats from "../duel/seats";
import { keepGame } from "../games";
import { faultText, sideName, t, type Key } from "../i18n";
import { program } from "../local/desks";
import { MoveList } from "../movelist";
import { rulesName } from "../rules";
import { strip } from "../strip";
import { fenAfter, START, Tree, turnOf, type TreeNode } from "../tree";
import { endingWords, moveWords, other } from "../words";

/** What the panel shows. */
type Scene = "setup" | "invited" | "game" | "trouble";

export class FriendView implements View {
  readonly panel = h("div", { class: "play friend" });
  tree = new Tree(START, "standard");
  private scene: Scene = "setup";
  private readonly invitation = new Invitation(
    (seat) => this.play(seat.id, seat.key),
    (rules) => this.showRules(rules),
  );
  /** The invitation that was opened, and what it is to. */
  private invited: { key: string; duel: Duel } | null = null;
  private problem = "";
  private game: Following | null = null;
  private duel: Duel | null = null;
  /** When that was heard, by the clock of this page. */
  private heard = 0;
  private state: GameState | null = null;
  /** The position that the state is of. */
  private stateOf: TreeNode | null = null;
  private sending = false;
  /** A move that is shown, and that the server does not have yet. */
  private underway: TreeNode | null = null;
  /** A rematch was asked for, and the friend does not want one. */
  private declined = false;
  private readonly list = new MoveList((node) => this.go(node));
  private active = false;
  private ticking = 0;
  private celebrated = "";
  private spoken = 0;
  /** Whether there was another game already when this one was opened. */
  private past = false;
  private readonly unfolded = new Map<string, boolean>();
  private wasFront = true;

  constructor(
    private readonly app: App,
    private readonly analyse: (tree: Tree) => void,
  ) {
    this.rebuild();
  }

  enter(): void {
    this.active = true;
    this.ticking = window.setInterval(() => this.tick(), 200);
    this.app.board.flip(this.duel?.you === "black");
    this.rebuild();
    if (this.wasFront) scrollTo(0, 0);
    this.update();
  }

  leave(): void {
    this.active = false;
    clearInterval(this.ticking);
    fill(this.app.top);
    fill(this.app.bottom);
  }

  /** A game waits for the connection, and nothing is lost. */
  get away(): string | undefined {
    return this.game ? t("friendAway") : undefined;
  }

  reconnected(): void {
    this.game?.again();
    this.update();
  }

  /** The choice of a new game. */
  setUp(): void {
    this.stop();
    this.scene = "setup";
    this.tree = new Tree(START, this.invitation.rules);
    history.replaceState(null, "", "#/friend");
    this.app.open("friend");
  }

  /** Opens what a link says. */
  async follow(query: URLSearchParams): Promise<void> {
    const [join, id, key] = ["join", "game", "seat"].map((name) => query.get(name));
    if (program || (!join && !id)) return this.setUp();
    if (join) return this.openInvitation(join);
    this.play(id!, key ?? seats.seatIn(id!)?.key ?? null, key !== null);
  }

  private async openInvitation(key: string): Promise<void> {
    this.stop();
    try {
      const duel = await duels.look(key);
      const own = seats.seatIn(duel.id);
      if (own?.key) return this.play(duel.id, own.key);
      this.invited = { key, duel };
      this.tree = new Tree(START, duel.rules);
      this.scene = "invited";
    } catch (error) {
      this.fail(error);
    }
    this.app.open("friend");
    if (this.invited) this.app.board.flip(this.invited.duel.host === "white");
  }

  private fail(error: unknown): void {
    this.problem = error instanceof Refused ? faultText(error.fault) : t("friendAway");
    this.scene = "trouble";
    this.rebuild();
  }

  private async join(): Promise<void> {
    const { key, duel } = this.invited!;
    try {
      const mine = seats.pendingKey(key);
      const joined = await duels.join(key, mine);
      seats.donePending();
      this.play(duel.id, mine);
      this.game?.take(joined);
    } catch (error) {
      // What it is now says more: somebody was faster, or it was called off.
      if (error instanceof Refused && ["duel-over", "duel-taken"].includes(error.fault.code))
        return this.openInvitation(key);
      this.fail(error);
    }
  }

  /** Follows a game: as a player with a key, as a spectator without. */
  private play(id: string, key: string | null, fromLink = false, joined = seats.seatIn(id)?.joined): void {
    this.stop();
    this.scene = "game";
    this.tree = new Tree(START, "standard");
    const { side, over, move } = seats.seatIn(id) ?? { side: null, over: false, move: null };
    const kept = key !== null && seats.keepSeat({ id, key, side, when: Date.now(), over, move, joined });
    // The key stays in the address only where nothing else remembers it.
    const hash = key && !kept ? seats.seatHash(id, key) : seats.watchHash(id);
    if (location.hash !== hash || fromLink) history.replaceState(null, "", hash);
    this.app.open("friend");
    this.game = new Following(
      id,
      key,
      (duel) => void this.hear(duel),
      (error) => this.fail(error),
    );
  }

  private stop(): void {
    this.game?.leave();
    this.game = null;
    this.duel = null;
    this.state = null;
    this.invited = null;
    this.stateOf = null;
    this.sending = false;
    this.underway = null;
    this.declined = false;
    this.unfolded.delete("keep");
    this.celebrated = "";
    this.spoken = 0;
  }

  /** Something has happened. */
  private async hear(duel: Duel): Promise<void> {
    const before = this.duel;
    const game = this.game;
    this.duel = duel;
    this.heard = performance.now();
    if (!before) {
      this.past = duel.rematch !== null;
      if (duel.rules !== this.tree.rules) this.tree = new Tree(START, duel.rules);
      this.app.board.flip(duel.you === "black");
    }
    if (game?.key) {
      const [over, move] = [duel.stage === "over", seats.moveIn(duel)];
      const known = seats.seatIn(duel.id);
      const joined = known?.joined || duel.stage === "playing" || duel.moves.length > 0;
      const seat = { id: duel.id, key: game.key, side: duel.you, when: Date.now(), over, move, joined };
      if (!before || known?.over !== over) seats.keepSeat(seat);
      else seats.noteSeat(duel.id, { move, joined });
    }
    try {
      await this.catchUp(duel);
    } catch (error) {
      return this.app.trouble(error);
    }
    if (this.game !== game || this.duel !== duel) return;
    this.listen(before);
    if (duel.rematch && !this.past) return this.play(duel.rematch, game?.key ?? null, false, true);
    this.save();
    this.rebuild();
    this.update();
  }

  /** Makes the tree that of the moves the server knows. */
  private async catchUp(duel: Duel): Promise<void> {
    const { tree } = this;
    const line = tree.mainLine();
    const atEnd = tree.current === tree.end;
    const same = line.findIndex((node, index) => node.move !== duel.moves[index]);
    // A move on its way stays where it is: what was heard is from before it.
    const ahead = line[same] === this.underway && same === duel.moves.length && duel.stage === "playing";
    if (same >= 0 && !ahead) tree.remove(line[same]!);
    const known = same >= 0 ? same : line.length;
    if (known < duel.moves.length) {
      const state = await this.app.state({ fen: tree.fen, rules: tree.rules, moves: duel.moves });
      if (this.tree !== tree || this.duel !== duel) return;
      let at = tree.end;
      const fresh = state.played.slice(tree.mainLine().length);
      for (const move of fresh) at = tree.add(move.move, move.san, move.captures, move.fen, at);
      const last = fresh.at(-1);
      if (last && this.active && known > 0) {
        this.app.soundOf(last.move, last.captures !== null);
        this.app.say(moveWords(at));
      }
    }
    if (atEnd) tree.current = tree.end;
    tree.result = duel.stage === "over" ? duel.result : null;
    tree.tags = this.names(duel);
  }

  private names(duel: Duel): Record<string, string> {
    const day = new Date(duel.last);
    const two = (n: number) => String(n).padStart(2, "0");
    const name = (side: Side) =>
      duel.you === null ? (side === "white" ? "Red" : "Blue") : duel.you === side ? "You" : "Friend";
    return {
      Event: "Game with a friend",
      Site: "Mousetrap",
      Date: `${day.getFullYear()}.${two(day.getMonth() + 1)}.${two(day.getDate())}`,
      White: name("white"),
      Black: name("black"),
    };
  }

  /** The game in the player's library; one for each seat, as both may be on one computer. */
  private save(): void {
    const { duel, tree } = this;
    if (!duel?.you || tree.mainLine().length < 2) return;
    keepGame(`duel-${duel.id.slice(0, 30)}-${duel.you[0]}`, tree.toRecord(), () => {});
  }

  /** Tells of what was said and offered since the last time. */
  private listen(before: Duel | null): void {
    const { duel } = this;
    const first = before === null;
    for (const { by, phrase, version } of duel?.said ?? []) {
      if (version <= this.spoken) continue;
      this.spoken = version;
      // On a phone it stands below the board.
      if (!first && by !== duel?.you && this.active) this.app.toast(`${this.name(by)}: ${t(`say_${phrase}` as Key)}`);
    }
    const asked = (one: Duel | null) => one?.offers.some(({ by, offer }) => offer === "rematch" && by === one.you);
    if (asked(before)) this.declined = !asked(duel) && !duel?.rematch;
  }

  private showRules(rules: string): void {
    if (this.scene !== "setup") return;
    this.tree = new Tree(START, rules);
    if (this.active) this.update();
  }

  rebuild(): void {
    keepingFocus(() => fill(this.panel, this.content()));
    this.announce();
    // In a narrow window the board is above the panel, except where there is nothing to play yet.
    const front = this.scene !== "game" || (this.duel ? this.duel.stage === "open" : this.wasFront);
    if (this.panel.classList.toggle("front", front) !== this.wasFront && this.active) scrollTo(0, 0);
    this.wasFront = front;
  }

  /** Says in the title of the page whose move it is. */
  private announce(): void {
    const { duel } = this;
    const mine = duel?.stage === "playing" && duel.you !== null && duel.turn === duel.you && !this.underway;
    this.app.call(mine ? t("yourTurn") : "");
  }

  private content(): (Node | null)[] {
    if (program) return [h("h2", {}, t("friendTitle")), h("p", { id: "friend-none" }, t("friendNoServer"))];
    if (this.scene === "trouble") {
      const again = { type: "button", class: "primary", id: "friend-new", onclick: () => this.setUp() };
      return [
        h("p", { class: "fault-text", id: "friend-problem", role: "alert" }, this.problem),
        h("button", again, t("friendNew")),
      ];
    }
    if (this.scene === "setup") return [this.invitation.element(this.app)];
    if (this.scene === "invited") return this.welcome();
    if (!this.duel) return [h("p", { class: "quiet" }, "…")];
    if (this.duel.stage === "open") return this.waiting();
    return this.running();
  }

  /** What one is invited to. */
  private welcome(): (Node | null)[] {
    const { key, duel } = this.invited!;
    const terms = { rules: rulesName(duel.rules), pace: paceText(duel.pace), side: sideName(other(duel.host)) };
    if (duel.stage !== "open") {
      const off = duel.reason === "aborted";
      const gone = off ? t("friendOff") : duel.stage === "over" ? t("err_duel-over") : t("err_duel-taken");
      const [id, text, onclick] = off
        ? ["friend-new", t("friendMake"), () => this.setUp()]
        : ["friend-watch", t("friendWatch"), () => this.play(duel.id, null)];
      return [
        h("p", { class: "fault-text", id: "friend-problem" }, gone),
        h("button", { type: "button", onclick, id }, text),
      ];
    }
    return [
      h("h2", {}, t("friendInvited")),
      h("p", { id: "friend-terms" }, t("friendTerms", terms)),
      h(
        "button",
        {
          type: "button",
          class: "primary",
          id: "friend-join",
          "data-key": key ? "1" : "0",
          onclick: () => void this.join(),
        },
        t("friendJoin"),
      ),
      houseRules(duel.rules),
    ];
  }

  private waiting(): (Node | null)[] {
    const duel = this.duel!;
    if (!duel.you || !duel.invitation) return [h("p", {}, t("friendOpen"))];
    return [
      h("h2", {}, t("friendWaiting")),
      h(
        "p",
        { class: "quiet", id: "friend-terms" },
        t("friendTerms", { rules: rulesName(duel.rules), pace: paceText(duel.pace), side: sideName(duel.you) }),
      ),
      houseRules(duel.rules),
      this.invitation.links(this.app, duel.invitation),
      this.keeping(),
      h(
        "button",
        { type: "button", class: "action", id: "friend-cancel", onclick: () => this.act({ do: "resign" }) },
        icon("close"),
        h("span", {}, t("friendCancel")),
      ),
    ];
  }

  private running(): (Node | null)[] {
    const duel = this.duel!;
    const { you } = duel;
    const over = this.ending();
    const asked = (offer: Offer) => duel.offers.some((one) => one.by === you && one.offer === offer);
    const action = (
      name: Parameters<typeof icon>[0],
      text: string,
      id: string,
      onclick: () => void,
      disabled = false,
    ) => h("button", { type: "button", class: "action", id, onclick, disabled }, icon(name), h("span", {}, text));
    const viewing = this.tree.current !== this.tree.end;
    return [
      over ? this.verdict(over) : null,
      you ? null : h("p", { class: "viewing", id: "friend-watching" }, t("friendWatching")),
      this.offers(),
      this.keeping(),
      viewing && !over
        ? h(
            "p",
            { class: "viewing" },
            t("view") + " ",
            h("button", { type: "button", class: "small", onclick: () => this.go(this.tree.end) }, t("backToGame")),
          )
        : null,
      h(
        "div",
        { class: "actions" },
        you && !over
          ? action(
              "undo",
              t("askTakeback"),
              "takeback",
              () => this.act({ do: "offer", offer: "takeback" }),
              asked("takeback") || !this.hasMoved(you),
            )
          : null,
        you && !over
          ? action("equal", t("offerDraw"), "offer-draw", () => this.act({ do: "offer", offer: "draw" }), asked("draw"))
          : null,
        you && !over
          ? action("flag", t(this.hasBegun() ? "resign" : "friendAbort"), "resign", () => this.resign())
          : null,
        over ? action("search", t("analyseGame"), "analyse-game", () => this.analyse(this.tree.copy())) : null,
        over ? action("download", t("friendPgn"), "friend-pgn", () => void this.download()) : null,
        over ? action("plus", t("friendNew"), "friend-new", () => this.setUp()) : null,
      ),
      this.list.element,
      you ? this.talk() : null,
      this.linkBox(),
      h("p", { class: "quiet", id: "rules-in-force" }, `${rulesName(duel.rules)} · ${paceText(duel.pace)}`),
      houseRules(duel.rules),
    ];
  }

  /** Whether both have moved: before that a game is called off, not resigned. */
  private hasBegun(): boolean {
    return (this.duel?.moves.length ?? 0) >= 2;
  }

  /** The link to come back by, in a game that lasts for days: before the eyes until the player has moved. */
  private keeping(): HTMLElement | null {
    const { id, pace, stage, you } = this.duel!;
    const key = this.game?.key;
    if (pace.kind !== "days" || stage === "over" || !you || !key) return null;
    return h(
      "details",
      { class: "links", id: "friend-keep", ...this.fold("keep", !this.hasMoved(you)) },
      h("summary", {}, t("friendKeep")),
      // Beside the code of the invitation another would be taken for it.
      keepLink(this.app, id, key, stage === "open"),
    );
  }

  private hasMoved(side: Side): boolean {
    return this.tree.mainLine().length >= (side === "white" ? 1 : 2);
  }

  /** What is offered, by whom, and what can be said to it: at the lower rim of a narrow window. */
  private offers(): HTMLElement | null {
    const duel = this.duel!;
    const answer = (id: string, text: string, deed: Deed, kind = "") =>
      h("button", { type: "button", class: kind, id, onclick: () => this.act(deed) }, text);
    if (duel.you === null || !duel.offers.length) return null;
    const asked = duel.offers.some(({ by }) => by !== duel.you);
    return h(
      "div",
      { class: asked ? "offers asked" : "offers" },
      duel.offers.map(({ by, offer }) =>
        by === duel.you
          ? h("p", { class: "viewing", id: `offered-${offer}` }, t(`offered_${offer}`))
          : h(
              "div",
              { class: "offer", role: "alert", id: `offer-${offer}` },
              h("p", {}, t(`offer_${offer}`)),
              h(
                "div",
                { class: "actions" },
                answer("accept", t("friendAccept"), { do: "accept", offer }, "primary"),
                answer("decline", t("friendDecline"), { do: "decline" }),
              ),
            ),
      ),
    );
  }

  private verdict(ending: Ending): HTMLElement {
    const duel = this.duel!;
    const off = ending.reason === "aborted";
    const { title, text } = endingWords(ending, duel.you);
    const asked = duel.offers.some((one) => one.offer === "rematch");
    return h(
      "div",
      { class: `verdict ${ending.winner ?? "draw"}`, id: "verdict" },
      h("h2", {}, off ? t("calledOff") : title),
      h("p", {}, text),
      this.declined && !asked && !duel.rematch ? h("p", { id: "no-rematch" }, t("friendNoRematch")) : null,
      duel.you && !asked && !duel.rematch && this.guestWasThere(duel)
        ? h(
            "div",
            { class: "actions" },
            h(
              "button",
              {
                type: "button",
                class: "primary",
                id: "rematch",
                onclick: () => this.act({ do: "offer", offer: "rematch" }),
              },
              t("friendAgain"),
            ),
          )
        : null,
      duel.rematch
        ? h(
            "button",
            {
              type: "button",
              id: "to-rematch",
              onclick: () => this.play(duel.rematch!, this.game?.key ?? null, false, true),
            },
            t("rematch"),
          )
        : null,
    );
  }

  private guestWasThere(duel: Duel): boolean {
    const joined = duel.you !== duel.host || seats.seatIn(duel.id)?.joined === true;
    return duel.reason !== "aborted" || duel.version > 1 || joined;
  }

  /** A part that stays folded or unfolded when the panel is drawn again. */
  private fold(name: string, open: boolean): Record<string, unknown> {
    const shown = this.unfolded.get(name) ?? open;
    // It is also told of a part that is drawn unfolded, which nobody has chosen.
    const ontoggle = (event: Event) => {
      const now = (event.target as HTMLDetailsElement).open;
      if (now !== shown || this.unfolded.has(name)) this.unfolded.set(name, now);
    };
    return { open: shown, ontoggle };
  }

  /** What was said, and what can be said. */
  private talk(): HTMLElement {
    const duel = this.duel!;
    return h(
      "details",
      { class: "talk", id: "talk", ...this.fold("talk", true) },
      h("summary", {}, t("friendSay")),
      duel.said.length
        ? h(
            "ul",
            { class: "said", "aria-label": t("friendSaid") },
            duel.said
              .slice(-4)
              .map(({ by, phrase }) =>
                h("li", { class: by }, h("b", {}, this.name(by)), " ", t(`say_${phrase}` as Key)),
              ),
          )
        : null,
      h(
        "div",
        { class: "phrases" },
        PHRASES.map((phrase) =>
          h(
            "button",
            { type: "button", class: "small", id: `say-${phrase}`, onclick: () => this.act({ do: "say", phrase }) },
            t(`say_${phrase}` as Key),
          ),
        ),
      ),
    );
  }

  private linkBox(): HTMLElement {
    const { id, pace, stage } = this.duel!;
    const key = this.game?.key;
    // Shown twice in a game of days: here it is looked for.
    const name = pace.kind === "days" && stage !== "over" ? "link-seat-again" : "link-seat";
    return h(
      "details",
      { class: "links", id: "friend-links", ...this.fold("links", false) },
      h("summary", {}, t("friendLinks")),
      linkRow(this.app, t("friendWatchLink"), "link-watch", seats.watchHash(id)),
      key ? linkRow(this.app, t("friendSeatLink"), name, seats.seatHash(id, key)) : null,
    );
  }

  private async download(): Promise<void> {
    try {
      const pgn = await api.exportPgn(this.tree.toRecord());
      const link = h("a", {
        href: URL.createObjectURL(new Blob([pgn], { type: "application/x-chess-pgn" })),
        download: "mousetrap.pgn",
      });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch (error) {
      this.app.trouble(error);
    }
  }

  private resign(): void {
    const begun = this.hasBegun();
    this.app.confirm(t(begun ? "confirmResign" : "confirmAbort"), t("yes"), "confirm-resign", () => {
      // What was to be called off may have begun while that was considered.
      if (begun === this.hasBegun()) this.act({ do: "resign" });
      else this.resign();
    });
  }

  private act(deed: Deed): void {
    const { game } = this;
    game?.act(deed).catch((error: unknown) => {
      if (this.game !== game) return;
      const enough = error instanceof Refused && error.fault.code === "duel-enough" && this.duel?.stage === "over";
      // After the last move there is no other to wait for.
      if (enough) this.app.toast(t(deed.do === "say" ? "friendSaidEnough" : "friendNoRematch"));
      else this.app.trouble(error);
      game.again();
    });
  }

  private ending(): Ending | null {
    const { duel } = this;
    return duel?.stage === "over" ? { winner: duel.winner, reason: duel.reason ?? "", text: duel.text ?? "" } : null;
  }

  update(): void {
    if (!this.active) return;
    const { app, tree } = this;
    app.showNode(tree.current);
    app.board.setArrows([]);
    app.allow(null);
    this.list.show(tree);
    this.strips();
    app.status.textContent = this.statusText();
    void this.refresh();
  }

  private async refresh(): Promise<void> {
    const { tree, app, duel } = this;
    const node = tree.current;
    try {
      const state = await app.state(tree.ref(node));
      if (this.tree !== tree || tree.current !== node || this.duel !== duel || !this.active) return;
      this.state = state;
      this.stateOf = node;
      // Of a move that was shown before the server knew it, the counters were a guess.
      node.fen = state.fen;
    } catch (error) {
      return app.trouble(error);
    }
    const over = this.ending();
    void app.cue(over || !duel ? null : this.state);
    if (over) return this.celebrate(over);
    const mine = duel?.stage === "playing" && duel.you !== null && duel.turn === duel.you;
    if (mine && node === tree.end && !this.sending && duel.moves.length === tree.mainLine().length)
      app.allow(this.state);
  }

  private celebrate(over: Ending): void {
    const { duel, app } = this;
    if (this.celebrated === duel!.id) return;
    this.celebrated = duel!.id;
    const { title, text } = endingWords(over, duel!.you);
    app.say(`${over.reason === "aborted" ? t("calledOff") : title}. ${text}`);
    this.panel.querySelector("#verdict")?.scrollIntoView({ block: "nearest", behavior: "smooth" });
    if (over.winner === null) return;
    const won = over.winner === (duel!.you ?? over.winner);
    app.sound(won ? "end" : "lost");
    if (won) app.celebrate(over.winner);
  }

  private statusText(): string {
    const { duel } = this;
    if (this.scene === "invited" && this.invited) {
      const { stage, reason } = this.invited.duel;
      if (stage === "playing") return t("friendTaken");
      return t(stage === "open" ? "friendInvited" : reason === "aborted" ? "calledOff" : "err_duel-over");
    }
    if (this.scene !== "game" || !duel) return t("friendTitle");
    const over = this.ending();
    if (over) return over.reason === "aborted" ? t("calledOff") : endingWords(over, duel.you).title;
    if (duel.stage === "open") return t("friendWaiting");
    if (this.sending) return t("friendSending");
    if (!duel.you) return t("turn", { side: sideName(duel.turn!) });
    return t(duel.turn === duel.you ? "yourTurn" : "friendHisTurn");
  }

  go(node: TreeNode): void {
    this.tree.current = node;
    this.rebuild();
    this.update();
  }

  move(from: string, to: string): void {
    const legal = this.state?.moves.find((move) => move.move === from + to);
    if (legal) void this.make(legal.move).catch((error: unknown) => this.app.trouble(error));
  }

  async typed(text: string): Promise<void> {
    const { duel, tree } = this;
    if (duel?.stage !== "playing" || duel.turn !== duel.you || tree.current !== tree.end || this.sending) return;
    await this.make(text);
  }

  /** Shows a move at once, and sends it until the server has kept it: without a network, when that is back. */
  private async make(text: string): Promise<void> {
    const { tree, game } = this;
    const ref = tree.ref();
    const gone = () => this.game !== game;
    this.sending = true;
    this.app.allow(null);
    this.app.status.textContent = this.statusText();
    let node: TreeNode | null = null;
    try {
      const known = this.stateOf === tree.current ? this.state : null;
      const legal = known?.moves.find(({ move, san }) => move === text || san === text);
      let played: PlayedMove | undefined = legal && { ...legal, fen: fenAfter(tree.current.fen, legal) };
      if (!played) {
        const state = await insist(() => this.app.state({ ...ref, moves: [...ref.moves, text] }), gone);
        played = state.played.at(-1);
      }
      if (gone() || this.tree !== tree || !played || tree.current !== tree.end) return;
      node = tree.add(played.move, played.san, played.captures, played.fen);
      this.underway = node;
      tree.current = node;
      this.announce();
      this.app.soundOf(played.move, played.captures !== null);
      this.app.say(moveWords(node));
      this.update();
      await game!.act({ do: "move", move: played.move });
    } catch (error) {
      if (gone()) return;
      // What was typed is for the typist to mend.
      if (!node) throw error;
      tree.remove(node);
      this.app.trouble(error);
      game!.again();
    } finally {
      if (!gone()) {
        this.sending = false;
        this.underway = null;
        this.rebuild();
        this.update();
      }
    }
  }

  private name(side: Side): string {
    const you = this.duel?.you;
    return !you ? sideName(side) : side === you ? t("you") : t("friendHe");
  }

  private tick(): void {
    if (this.duel?.running) this.strips();
  }

  private left(side: Side): number | undefined {
    const { duel } = this;
    const left = side === "white" ? duel?.white_left : duel?.black_left;
    if (left === null || left === undefined) return undefined;
    return Math.max(0, left - (duel!.running === side ? performance.now() - this.heard : 0));
  }

  private strips(): void {
    const { app, tree, duel } = this;
    const bottom: Side = app.board.isFlipped ? "black" : "white";
    const one = (side: Side) => {
      const turn = duel?.stage === "playing" && turnOf(tree.current.fen) === side;
      const player = { side, name: this.name(side), named: Boolean(duel?.you), turn, clock: this.left(side) };
      return strip(player, app.settings.pieces, tree.fen, tree.current.fen);
    };
    fill(app.top, one(other(bottom)));
    fill(app.bottom, one(bottom));
  }
}
