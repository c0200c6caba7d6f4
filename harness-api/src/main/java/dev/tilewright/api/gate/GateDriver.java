package dev.tilewright.api.gate;

import dev.tilewright.api.platform.database.BackgroundLoop;
import dev.tilewright.api.platform.database.Notifications;
import dev.tilewright.api.platform.process.FatalErrors;
import dev.tilewright.api.task.TaskDesk;
import dev.tilewright.api.task.TaskRow;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;

/**
 * Moves runs on, beside all requests. A driver reads what is stored, thinks while it holds neither a connection nor a
 * lock, and writes one step in a short transaction, if the run is still the version that it has read: of two replicas
 * that think of the same run one writes, and the other finds it moved. Nothing is kept in memory, so whoever dies here
 * leaves nothing behind.
 */
@Service
public class GateDriver extends BackgroundLoop {

    private static final Logger LOG = LoggerFactory.getLogger(GateDriver.class);
    private static final Duration LOOK = Duration.ofMillis(500);

    private final GateRunRepository runs;
    private final GateCaseRepository cases;
    private final CaseTasks tasks;
    private final TaskDesk desk;
    private final GateFlow flow;
    private final RetuneFlow retunes;
    private final StandIns standIns;
    private final Clock clock;
    private final FatalErrors fatal;

    /** @param background whether it looks by itself */
    GateDriver(
            GateRunRepository runs,
            GateCaseRepository cases,
            CaseTasks tasks,
            TaskDesk desk,
            GateFlow flow,
            RetuneFlow retunes,
            StandIns standIns,
            Clock clock,
            FatalErrors fatal,
            Notifications notifications,
            @Value("${db-scheduler.enabled:true}") boolean background) {
        super(fatal, notifications, "gate-driver", "runs of gates", LOOK, background);
        this.runs = runs;
        this.cases = cases;
        this.tasks = tasks;
        this.desk = desk;
        this.flow = flow;
        this.retunes = retunes;
        this.standIns = standIns;
        this.clock = clock;
        this.fatal = fatal;
    }

    /** Moves all runs on, each as far as it goes; what is tuned again comes behind verdicts. */
    @Override
    public boolean look() {
        List<UUID> open = runs.open();
        open.forEach(id -> move(id, () -> step(id), flow::giveUp));
        List<UUID> retuning = runs.retuning();
        retuning.forEach(id -> move(id, () -> retunes.step(id), retunes::giveUp));
        return !open.isEmpty() || !retuning.isEmpty();
    }

    private void move(UUID id, BooleanSupplier step, BiConsumer<UUID, String> giveUp) {
        try (var _ = MDC.putCloseable("gateRun", id.toString())) {
            while (step.getAsBoolean()) {
                // Ends by itself: each step leaves less to do.
            }
        } catch (DataAccessException | TransactionException away) {
            LOG.warn("gate run {} waits for the database: {}", id, away.getMessage());
        } catch (Throwable bug) {
            fatal.haltAfter(bug, "gate run " + id);
            if (Thread.currentThread().isInterrupted()) {
                // The service stops: what failed by that is no fault of the run, and the next service takes it up.
                LOG.info("gate run {} is left as it is, the service stops: {}", id, bug.toString());
                return;
            }
            LOG.error("gate run {} could not be moved on", id, bug);
            giveUp.accept(id, "the service failed to move the run on: " + bug);
        }
    }

    /** Moves a run on by one step; false if there is none now. */
    private boolean step(UUID id) {
        Optional<GateRunRow> found = runs.find(id).filter(run -> !run.state().isOver());
        if (found.isEmpty()) {
            return false;
        }
        GateRunRow run = found.get();
        List<GateCaseRow> all = cases.of(id);
        List<StageRow> stages = cases.stages(id);
        Map<UUID, TaskRow> open = tasks.of(StageRow.open(stages));
        GatePlan plan = new GatePlan(
                run,
                all,
                stages,
                open,
                spec -> standIns.of(run, spec),
                () -> open.values().stream()
                        .allMatch(task -> desk.isOffered(run.selector(), run.address(), task.task())),
                clock.instant());
        GateStep step = plan.next();
        return !(step instanceof GateStep.Wait) && flow.write(plan, step);
    }
}
