"""One replica of a serving engine: continuous batching, chunked prefill, a cache that can run full."""

from collections import deque
from dataclasses import dataclass, field
from heapq import heappop, heappush

from sizing.core.simulate.clock import StepClock


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How the engine schedules. `pool_tokens` is the cache of one replica, infinity where it never binds.

    `front_end_s` passes before a request may be scheduled, plus `token_handling_s` per prompt token.
    `first_chunk_steps` hold back the first streamed chunk.
    """

    clock: StepClock
    budget_tokens: int
    pool_tokens: float
    max_sequences: int
    mixed_prefill: bool
    front_end_s: float
    token_handling_s: float
    first_chunk_steps: float
    tokens_per_step: float = 1.0  # above 1 with speculative decoding
    verified_tokens: float = 1.0  # per sequence and step


@dataclass(slots=True)
class Served:
    """A request on its way. Times in seconds; None until reached."""

    number: int
    arrived_s: float
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    to_prefill: int = 0
    prefilled: int = 0
    produced: int = 0
    first_token_s: float | None = None
    finished_s: float | None = None
    preempted: int = 0
    joined_step: int = 0
    step_at_first_s: float = 0.0
    handed_over: bool = False  # its prompt was computed elsewhere


@dataclass(slots=True)
class Replica:
    """The state of one engine between two steps. `advance` is the only way forward."""

    rules: Rules
    now_s: float = 0.0
    steps: int = 0
    ready: list[tuple[float, int, Served]] = field(default_factory=list)
    waiting: deque[Served] = field(default_factory=deque)
    prefilling: deque[Served] = field(default_factory=deque)
    decoding: list[tuple[int, int, Served]] = field(default_factory=list)  # heap by last step
    context_tokens: float = 0.0  # of decoding sequences
    partial_tokens: float = 0.0  # of sequences whose prompt is not through
    busy_s: float = 0.0
    last_step_s: float = 0.0
    peak_tokens: float = 0.0
    finished: list[Served] = field(default_factory=list)

    @property
    def outstanding(self) -> int:
        return len(self.ready) + len(self.waiting) + len(self.prefilling) + len(self.decoding)

    @property
    def used_tokens(self) -> float:
        return self.context_tokens + self.partial_tokens

    def submit(self, request: Served) -> None:
        """Hand over a request; it may be scheduled once the front end is through with it."""
        rules = self.rules
        delay = rules.front_end_s + rules.token_handling_s * request.input_tokens
        request.to_prefill = request.input_tokens
        heappush(self.ready, (request.arrived_s + delay, request.number, request))

    def receive(self, request: Served, arrives_s: float) -> None:
        """Hand over a request whose prompt another instance has computed; its cache arrives then."""
        request.to_prefill, request.handed_over = request.input_tokens, True
        heappush(self.ready, (arrives_s, request.number, request))

    def advance(self, until_s: float) -> list[Served]:
        """Run steps until the clock reaches `until_s` or a request finishes; returns what finished."""
        while self.now_s < until_s:
            self._admit()
            if self.prefilling:
                done = self._prefill_step()
            elif self.decoding:
                done = self._decode_run(until_s)
            elif self.ready and self.ready[0][0] < until_s:
                self.now_s = max(self.now_s, self.ready[0][0])
                continue
            else:
                self.now_s = until_s
                return []
            if done:
                return done
        return []

    def _admit(self) -> None:
        rules = self.rules
        while self.ready and self.ready[0][0] <= self.now_s:
            self.waiting.append(heappop(self.ready)[2])
        while self.waiting and len(self.decoding) + len(self.prefilling) < rules.max_sequences:
            request = self.waiting[0]
            need = request.cached_tokens + request.to_prefill
            promised = sum(r.to_prefill - r.prefilled for r in self.prefilling)
            growth = len(self.decoding) + len(self.prefilling) + 1
            alone = not self.decoding and not self.prefilling
            if self.used_tokens + promised + need + growth > rules.pool_tokens and not alone:
                return
            self.waiting.popleft()
            if request.handed_over:
                self._join(request)
                continue
            request.prefilled = 0
            self.partial_tokens += request.cached_tokens
            self.prefilling.append(request)

    def _join(self, request: Served) -> None:
        """Decode what was handed over: the first step brings the first token."""
        request.handed_over = False
        request.first_token_s = self.now_s + self.last_step_s
        request.step_at_first_s = self.last_step_s
        request.joined_step = self.steps
        self.context_tokens += request.cached_tokens + request.to_prefill
        steps = max(1, round(request.output_tokens / self.rules.tokens_per_step))
        heappush(self.decoding, (self.steps + steps, request.number, request))

    def _prefill_step(self) -> list[Served]:
        """One step that carries prompt tokens, first come first served, as far as the budget goes."""
        rules, batch = self.rules, len(self.decoding)
        planned = min(rules.budget_tokens, sum(r.to_prefill - r.prefilled for r in self.prefilling))
        if batch and self.used_tokens + batch * rules.tokens_per_step + planned > rules.pool_tokens:
            self._preempt()
            return []
        left, taken, weighted = rules.budget_tokens, 0, 0.0
        complete: list[Served] = []
        for request in self.prefilling:
            take = min(left, request.to_prefill - request.prefilled)
            taken, left = taken + take, left - take
            weighted += take * (request.cached_tokens + request.prefilled + take / 2.0)
            request.prefilled += take
            if request.prefilled < request.to_prefill:
                break
            complete.append(request)
            if not left:
                break
        self.partial_tokens += taken
        riding = batch if rules.mixed_prefill else 0
        context = self.context_tokens / batch if batch else 0.0
        self._tick(
            rules.clock.step_s(riding, context, taken, weighted / max(taken, 1), rules.verified_tokens),
            steps=riding > 0,
        )
        done = self._due() if riding else []
        for request in complete:
            self._start_decoding(request, done)
        return done

    def _start_decoding(self, request: Served, done: list[Served]) -> None:
        self.prefilling.popleft()
        held = request.cached_tokens + request.to_prefill
        self.partial_tokens -= held
        if request.first_token_s is None:
            request.first_token_s = self.now_s
            request.step_at_first_s = self.last_step_s
        request.produced += 1
        if request.produced >= request.output_tokens:
            self._finish(request, done)
            return
        steps = max(1, round((request.output_tokens - request.produced) / self.rules.tokens_per_step))
        request.joined_step = self.steps
        self.context_tokens += held
        heappush(self.decoding, (self.steps + steps, request.number, request))

    def _decode_run(self, until_s: float) -> list[Served]:
        """As many equal decode steps as fit before something happens, in one go."""
        rules, batch = self.rules, len(self.decoding)
        growth = batch * rules.tokens_per_step
        room = (rules.pool_tokens - self.used_tokens) / growth
        if room < 1.0 and batch > 1:
            self._preempt()
            return []
        step_s = rules.clock.step_s(batch, self.context_tokens / batch, 0.0, 0.0, rules.verified_tokens)
        horizon = until_s if not self.ready else min(until_s, self.ready[0][0])
        before = max(1.0, -(-(horizon - self.now_s) // step_s)) if horizon < float("inf") else float("inf")
        count = int(min(self.decoding[0][0] - self.steps, max(room, 1.0), before, 1e9))
        if count > 1:
            middle = self.context_tokens / batch + rules.tokens_per_step * (count - 1) / 2.0
            step_s = rules.clock.step_s(batch, middle, 0.0, 0.0, rules.verified_tokens)
        self._tick(step_s * count, steps=False, last_s=step_s)
        self.steps += count
        self.context_tokens += growth * count
        self.peak_tokens = max(self.peak_tokens, self.used_tokens)
        return self._due()

    def _tick(self, seconds: float, *, steps: bool, last_s: float | None = None) -> None:
        self.now_s += seconds
        self.busy_s += seconds
        self.last_step_s = last_s if last_s is not None else seconds
        if steps:
            self.steps += 1
            self.context_tokens += len(self.decoding) * self.rules.tokens_per_step
        self.peak_tokens = max(self.peak_tokens, self.used_tokens)

    def _due(self) -> list[Served]:
        done: list[Served] = []
        while self.decoding and self.decoding[0][0] <= self.steps:
            request = heappop(self.decoding)[2]
            self._release(request)
            request.produced = request.output_tokens
            self._finish(request, done)
        return done

    def _release(self, request: Served) -> None:
        """Give back the cache of a decoding sequence."""
        grown = (self.steps - request.joined_step) * self.rules.tokens_per_step
        self.context_tokens -= request.cached_tokens + request.to_prefill + grown
        if not self.decoding:
            self.context_tokens = 0.0

    def _finish(self, request: Served, done: list[Served]) -> None:
        request.finished_s = self.now_s
        self.finished.append(request)
        done.append(request)

    def _preempt(self) -> None:
        """Send the newest sequence back; its prompt and what it produced are computed again."""
        position = max(range(len(self.decoding)), key=lambda i: self.decoding[i][2].number)
        _, _, request = self.decoding.pop(position)
        self.decoding.sort()
        grown = round((self.steps - request.joined_step) * self.rules.tokens_per_step)
        self._release(request)
        request.produced = min(request.produced + grown, request.output_tokens - 1)
        request.to_prefill = request.input_tokens + request.produced
        request.preempted += 1
        self.waiting.appendleft(request)
