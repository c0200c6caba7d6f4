package dev.tilewright.api.gate.schedule;

import dev.tilewright.api.gate.AskedRun;
import dev.tilewright.api.gate.GateService;
import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.gate.document.GateSchedule;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Submits runs when their time has come. A time is taken by one replica, in the transaction that sets the next one, and
 * submits its run: whoever dies in between has done all of it or nothing. Times that went by while no replica was there
 * are one.
 */
@Service
public class GateSchedules {

    private static final Logger LOG = LoggerFactory.getLogger(GateSchedules.class);

    private final ScheduleRepository schedules;
    private final GateService gates;
    private final TransactionTemplate transactions;
    private final Clock clock;

    GateSchedules(ScheduleRepository schedules, GateService gates, TransactionTemplate transactions, Clock clock) {
        this.schedules = schedules;
        this.gates = gates;
        this.transactions = transactions;
        this.clock = clock;
    }

    /**
     * Keeps a schedule. The request is checked now as it will be then, so that what can never run is refused.
     *
     * @throws ApiProblem 422 with everything that is wrong: the line cannot be read, or the request is invalid
     */
    public GateSchedule keep(String gate, GateSchedule.ScheduleRequest asked, Caller author) {
        List<Fault> faults = new ArrayList<>();
        Optional<Instant> first = first(asked.when(), faults);
        try {
            gates.read(gate, asked.request());
        } catch (ApiProblem wrong) {
            if (wrong.faults().isEmpty()) {
                throw wrong;
            }
            wrong.faults().stream()
                    .map(fault -> fault.pointer().startsWith("/")
                            ? new Fault("/request" + fault.pointer(), fault.detail())
                            : fault)
                    .forEach(faults::add);
        }
        if (!faults.isEmpty() || first.isEmpty()) {
            throw ApiProblem.invalid(faults);
        }
        schedules.keep(gate, asked, author.name(), first.get());
        return find(gate);
    }

    private Optional<Instant> first(String line, List<Fault> faults) {
        try {
            return Optional.of(ScheduleLine.first(line, clock.instant()));
        } catch (ApiProblem unreadable) {
            faults.addAll(unreadable.faults());
            return Optional.empty();
        }
    }

    /** The schedule of a gate; 404 if it has none. */
    public GateSchedule find(String gate) {
        return of(gate).orElseThrow(() -> ApiProblem.notFound("schedule of gate", gate));
    }

    /** The same; empty if it has none. */
    public Optional<GateSchedule> of(String gate) {
        return schedules.find(gate);
    }

    /** Schedules of all gates, by their names. */
    public List<GateSchedule> all() {
        return schedules.all();
    }

    /** Ends the schedule of a gate; its runs stay. */
    public void delete(String gate) {
        if (!schedules.delete(gate)) {
            throw ApiProblem.notFound("schedule of gate", gate);
        }
    }

    /** Submits what is due; a gate that cannot be run keeps no other one waiting. */
    public void runDue() {
        Instant now = clock.instant();
        for (String gate : schedules.due(now)) {
            try {
                run(gate, now);
            } catch (RuntimeException bug) {
                LOG.error("gate '{}' could not be run by its schedule", gate, bug);
            }
        }
    }

    /**
     * Checks the request first, without a connection; a schedule that was changed meanwhile is left for the next look.
     */
    private void run(String gate, Instant now) {
        GateSchedule due = schedules.find(gate).orElse(null);
        if (due == null) {
            return;
        }
        try {
            AskedRun asked = gates.read(gate, due.request());
            take(due, now, next -> {
                UUID run = gates.store(gate, asked, due.author());
                schedules.ran(gate, now, next, run, null);
                LOG.info("gate '{}' runs by its schedule as {}", gate, run);
            });
        } catch (ApiProblem refused) {
            if (refused.type() == ProblemType.BUSY) {
                LOG.info("gate '{}' waits for its turn: {}", gate, refused.reasons());
                return;
            }
            take(due, now, next -> {
                schedules.ran(gate, now, next, null, refused.reasons());
                LOG.warn("gate '{}' does not run by its schedule: {}", gate, refused.reasons());
            });
        }
    }

    private void take(GateSchedule due, Instant now, Consumer<Instant> write) {
        transactions.executeWithoutResult(_ -> schedules
                .take(due.gate(), now)
                .filter(due::equals)
                .ifPresent(taken -> write.accept(new ScheduleLine(taken.when()).next(now))));
    }
}
