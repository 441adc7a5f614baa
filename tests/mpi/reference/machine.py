"""All executions of an abstract MPI program, by brute force: every interleaving, no reduction.

It shares nothing with the checker. A state has, per rank, where it is and what it has seen; per
channel (from a rank to a rank) the messages that no receive has taken; per rank the receives that
no message has met, in the order in which they were posted. Steps are those of the ranks, and
matches. By section 3.5 of the standard a message can meet a receive if

- it is the first of its sender's messages on the way that fit the receive (messages do not overtake
  each other), and
- no receive that was posted before and is still open fits it, too.

Nothing else: between senders there is no order, and a match may come as late as it likes. A test, or
a nonblocking probe, may fail although it could succeed: only if it is repeated it will succeed at
last. `eager` is the least that there must be: matches of receives that name their source come at
once, and tests that can succeed do. To programs without tests that makes no difference.

`zero`: a standard send is complete when it is matched; otherwise at once. `loose`: a collective waits
only for those whose data it needs.
"""

import collections
import itertools

from program import ANY, ANY_OTHER, OTHER

PENDING = "pending"  # a request that is not complete; else (value, source, tag), or a collective
COLLECTIVE = "collective"
NOTHING = 99  # what Waitany and its like answer if there is nothing to wait for
NOT_YET = 98  # what Testany answers if nothing is complete
CANCELLED = 77  # what a cancelled receive has got

Rank = collections.namedtuple("Rank", "at inside last log requests probed arrived")
State = collections.namedtuple("State", "ranks messages receives collectives")
Message = collections.namedtuple("Message", "source destination tag value index waits")
Receive = collections.namedtuple("Receive", "index source tag")


class TooManyStates(Exception):
    pass


class Deadlock(Exception):
    """It has one, and none is wanted."""


def fits(receive, message):
    any_tag = ANY_OTHER if message.tag >= OTHER else ANY
    return receive.source in (ANY, message.source) and receive.tag in (any_tag, message.tag)


def first_fitting(state, destination, receive):
    """Of each source, the message that comes first among those that fit."""
    found = {}
    for message in state.messages:
        if message.destination == destination and message.source not in found:
            if fits(receive, message):
                found[message.source] = message
    return found.values()


def replaced(sequence, at, value):
    return (*sequence[:at], value, *sequence[at + 1:])


class Machine:
    def __init__(self, program, zero=False, loose=False, eager=False, deadlocks=True, max_states=200000):
        self.program = program
        self.zero = zero
        self.loose = loose
        self.eager = eager
        self.deadlocks = deadlocks
        self.max_states = max_states
        self.outcomes = set()  # ("end", logs) or ("deadlock", where each rank is)
        self.endings = set()  # with what was matched: the number of matchings
        self.explore()

    def explore(self):
        blank = [Rank(0, 0, 0, (), (None,) * len(operations), None, 0) for operations in self.program]
        start = State(tuple(blank), (), ((),) * len(blank), ())
        seen = {start}
        stack = [start]
        while stack:
            state = stack.pop()
            successors = self.successors(state)
            if not successors:
                self.note(state)
            for successor in successors:
                if successor not in seen:
                    seen.add(successor)
                    stack.append(successor)
            if len(seen) > self.max_states:
                raise TooManyStates
        self.states = len(seen)

    def note(self, state):
        if all(rank.at == len(self.program[r]) for r, rank in enumerate(state.ranks)):
            outcome = ("end", tuple(rank.log for rank in state.ranks))
        elif not self.deadlocks:
            raise Deadlock
        else:
            outcome = ("deadlock", tuple(rank.at for rank in state.ranks))
        self.outcomes.add(outcome)
        self.endings.add((outcome, state.ranks))

    def successors(self, state):
        found = []
        for r, rank in enumerate(state.ranks):
            if rank.at < len(self.program[r]):
                found += self.steps(state, r, rank, self.program[r][rank.at])
        for destination, receives in enumerate(state.receives):
            for receive in receives:
                if not (self.eager and receive.source != ANY):
                    found += self.matches(state, destination, receive)
        return [self.settled(one) for one in found] if self.eager else found

    def settled(self, state):
        """Eager: with all matches made whose source the program names."""
        changed = True
        while changed:
            changed = False
            for destination, receives in enumerate(state.receives):
                for receive in receives:
                    matched = self.matches(state, destination, receive)
                    if receive.source != ANY and matched:
                        state, changed = matched[0], True
                        break
        return state

    def matches(self, state, destination, receive):
        return [
            self.matched(state, destination, receive, message)
            for message in first_fitting(state, destination, receive)
            if not self.is_claimed(state, destination, receive, message)
        ]

    @staticmethod
    def is_claimed(state, destination, receive, message):
        """By a receive that was posted before this one."""
        for earlier in state.receives[destination]:
            if earlier == receive:
                return False
            if fits(earlier, message):
                return True
        return False

    @staticmethod
    def matched(state, destination, receive, message):
        ranks = state.ranks
        data = (message.value, message.source, message.tag)
        ranks = with_request(ranks, destination, receive.index, data)
        if message.waits:
            ranks = with_request(ranks, message.source, message.index, ())
        messages = tuple(one for one in state.messages if one is not message)
        left = tuple(one for one in state.receives[destination] if one != receive)
        receives = replaced(state.receives, destination, left)
        return State(ranks, messages, receives, state.collectives)

    # What a rank can do. Blocking operations are two steps: to begin, and to find it complete.

    def steps(self, state, r, rank, one):
        return getattr(self, "do_" + one[0])(state, r, rank, one)

    def do_send(self, state, r, rank, one):
        _, mode, destination, tag, value = one
        if rank.inside:
            return self.finish_waiting(state, r, rank, (rank.at,))
        sent = self.sent(state, r, rank.at, mode, destination, tag, value)
        return [with_rank(sent, r, sent.ranks[r]._replace(inside=1))]

    def do_isend(self, state, r, rank, one):
        _, mode, destination, tag, value = one
        sent = self.sent(state, r, rank.at, mode, destination, tag, value)
        return [advanced(sent, r)]

    def sent(self, state, r, index, mode, destination, tag, value):
        waits = mode == "sync" or (mode == "std" and self.zero)
        message = Message(r, destination, tag, value, index, waits)
        messages = sorted((*state.messages, message), key=lambda other: other[:2])
        ranks = with_request(state.ranks, r, index, PENDING if waits else ())
        return state._replace(ranks=ranks, messages=tuple(messages))

    def do_recv(self, state, r, rank, one):
        if rank.inside:
            return self.finish_waiting(state, r, rank, (rank.at,))
        posted = self.posted(state, r, rank.at, one[1], one[2])
        return [with_rank(posted, r, posted.ranks[r]._replace(inside=1))]

    def do_irecv(self, state, r, rank, one):
        return [advanced(self.posted(state, r, rank.at, one[1], one[2]), r)]

    def do_take(self, state, r, rank, one):
        return self.do_recv(state, r, rank, ("recv", *(rank.probed or (ANY, ANY))))

    @staticmethod
    def posted(state, r, index, source, tag):
        receives = replaced(state.receives, r, (*state.receives[r], Receive(index, source, tag)))
        ranks = with_request(state.ranks, r, index, PENDING)
        return state._replace(ranks=ranks, receives=receives)

    def do_sendrecv(self, state, r, rank, one):
        """The receive and the send begin together; the send has the index of no operation."""
        _, destination, tag, value, source, receive_tag = one
        if not rank.inside:
            state = self.posted(state, r, rank.at, source, receive_tag)
            message = Message(r, destination, tag, value, None, False)
            messages = sorted((*state.messages, message), key=lambda other: other[:2])
            state = state._replace(messages=tuple(messages))
            return [with_rank(state, r, state.ranks[r]._replace(inside=1))]
        unsent = any(one.source == r and one.value == value for one in state.messages)
        if self.zero and unsent:
            return []
        return self.finish_waiting(state, r, rank, (rank.at,))

    def do_wait(self, state, r, rank, one):
        return self.finish_waiting(state, r, rank, one[1:])

    def finish_waiting(self, state, r, rank, indices):
        if not all(self.is_complete(state, rank, index) for index in indices):
            return []
        return [advanced(with_rank(state, r, self.all_consumed(rank, indices)), r)]

    def do_waitany(self, state, r, rank, one):
        active = [index for index in one[1:] if rank.requests[index] is not None]
        if not active:
            return [advanced(with_rank(state, r, logged(rank, NOTHING)), r)]
        found = []
        for index in active:
            if self.is_complete(state, rank, index):
                chosen = self.consumed(logged(rank, one[1:].index(index)), index)
                found.append(advanced(with_rank(state, r, chosen), r))
        return found

    def do_test(self, state, r, rank, one):
        answers = []
        if self.is_complete(state, rank, one[1]):
            answers.append(self.consumed(logged(rank, 1), one[1]))
        if not answers or (not self.eager and rank.requests[one[1]] is not None):
            answers.append(logged(rank, 0))
        return [advanced(with_rank(state, r, answer), r) for answer in answers]

    def do_testall(self, state, r, rank, one):
        answers = []
        active = [index for index in one[1:] if rank.requests[index] is not None]
        if all(self.is_complete(state, rank, index) for index in active):
            answers.append(self.all_consumed(logged(rank, 1), active))
        if not answers or (not self.eager and active):
            answers.append(logged(rank, 0))
        return [advanced(with_rank(state, r, answer), r) for answer in answers]

    def do_testany(self, state, r, rank, one):
        found = self.do_waitany(state, r, rank, one)
        active = any(rank.requests[index] is not None for index in one[1:])
        if not found or (not self.eager and active):
            found.append(advanced(with_rank(state, r, logged(rank, NOT_YET)), r))
        return found

    def do_testsome(self, state, r, rank, one):
        found = self.do_waitsome(state, r, rank, one)
        active = any(rank.requests[index] is not None for index in one[1:])
        if not found or (not self.eager and active):
            found.append(advanced(with_rank(state, r, logged(rank, 0)), r))
        return found

    def do_waitsome(self, state, r, rank, one):
        """Sees a bit for each; eager: all that are complete, else any of them."""
        active = [index for index in one[1:] if rank.requests[index] is not None]
        if not active:
            return [advanced(with_rank(state, r, logged(rank, NOTHING)), r)]
        complete = [index for index in active if self.is_complete(state, rank, index)]
        fewest = max(len(complete), 1) if self.eager else 1
        found = []
        for size in range(fewest, len(complete) + 1):
            for chosen in itertools.combinations(complete, size):
                bits = sum(1 << one[1:].index(index) for index in chosen)
                told = self.all_consumed(logged(rank, bits), chosen)
                found.append(advanced(with_rank(state, r, told), r))
        return found

    @staticmethod
    def do_cancel(state, r, rank, one):
        if rank.requests[one[1]] == PENDING:
            left = tuple(receive for receive in state.receives[r] if receive.index != one[1])
            state = state._replace(receives=replaced(state.receives, r, left))
            ranks = with_request(state.ranks, r, one[1], (CANCELLED,))
            state = state._replace(ranks=ranks)
        return [advanced(state, r)]

    def all_consumed(self, rank, indices):
        for index in indices:
            rank = self.consumed(rank, index)
        return rank

    def probed(self, state, r, one):
        """Per message that a receive, posted here and now, could take."""
        receive = Receive(None, one[1], one[2])
        found = []
        for message in first_fitting(state, r, receive):
            if not self.is_claimed(state, r, receive, message):
                found.append((message.source, message.tag))
        return found

    def do_probe(self, state, r, rank, one):
        found = []
        for source, tag in self.probed(state, r, one):
            told = logged(logged(rank, source), tag)._replace(probed=(source, tag))
            found.append(advanced(with_rank(state, r, told), r))
        return found

    def do_iprobe(self, state, r, rank, one):
        found = []
        for source, tag in self.probed(state, r, one):
            told = logged(logged(logged(rank, 1), source), tag)
            found.append(advanced(with_rank(state, r, told), r))
        if not found or not self.eager:
            found.append(advanced(with_rank(state, r, logged(rank, 0)), r))
        return found

    def do_skip(self, state, r, rank, one):
        _, modulus, residue, count = one
        jump = count if rank.last % modulus == residue else 0
        return [with_rank(state, r, rank._replace(at=rank.at + 1 + jump))]

    # Collectives: the n-th of a rank is the n-th of all.

    def arrival(self, state, r, rank):
        nobody = (None,) * len(state.ranks)
        collectives = state.collectives
        if len(collectives) == rank.arrived:
            collectives = (*collectives, nobody)
        contributions = replaced(collectives[rank.arrived], r, rank.last)
        collectives = replaced(collectives, rank.arrived, contributions)
        state = state._replace(collectives=collectives)
        return with_rank(state, r, rank._replace(arrived=rank.arrived + 1))

    def do_ibarrier(self, state, r, rank, _):
        arrived = self.arrival(state, r, rank)
        ranks = with_request(arrived.ranks, r, rank.at, (COLLECTIVE, rank.arrived))
        return [advanced(arrived._replace(ranks=ranks), r)]

    def collective(self, state, r, rank, needed, result):
        if not rank.inside:
            arrived = self.arrival(state, r, rank)
            return [with_rank(arrived, r, arrived.ranks[r]._replace(inside=1))]
        there = state.collectives[rank.arrived - 1]
        if not self.loose:
            needed = range(len(there))
        if any(there[other] is None for other in needed):
            return []
        if result is not None:
            rank = logged(rank, result(there))
        return [advanced(with_rank(state, r, rank), r)]

    def do_barrier(self, state, r, rank, _):
        return self.collective(state, r, rank, range(len(state.ranks)), None)

    def do_bcast(self, state, r, rank, one):
        return self.collective(state, r, rank, (one[1],), lambda there: there[one[1]])

    def do_reduce(self, state, r, rank, one):
        if r != one[1]:
            return self.collective(state, r, rank, (), None)
        return self.collective(state, r, rank, range(len(state.ranks)), sum)

    def do_allreduce(self, state, r, rank, _):
        return self.collective(state, r, rank, range(len(state.ranks)), sum)

    @staticmethod
    def is_complete(state, rank, index):
        request = rank.requests[index]
        if request and request[0] == COLLECTIVE:
            return all(one is not None for one in state.collectives[request[1]])
        return request != PENDING

    @staticmethod
    def consumed(rank, index):
        """A complete request becomes null; what a receive has got is seen."""
        request = rank.requests[index]
        if request and request[0] != COLLECTIVE:
            rank = logged(rank, request[0])
        return rank._replace(requests=replaced(rank.requests, index, None))


def logged(rank, value):
    return rank._replace(log=(*rank.log, value), last=value)


def with_rank(state, r, rank):
    return state._replace(ranks=replaced(state.ranks, r, rank))


def with_request(ranks, r, index, request):
    rank = ranks[r]
    requests = replaced(rank.requests, index, request)
    return replaced(ranks, r, rank._replace(requests=requests))


def advanced(state, r):
    rank = state.ranks[r]
    return with_rank(state, r, rank._replace(at=rank.at + 1, inside=0))
