package dev.tilewright.api.study.flow;

import dev.tilewright.api.platform.process.LocalWorker;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.DeviceOffer;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.simulator.LaunchModels;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Makes the spaces of the studies that begin next, and what the first questions about them need, while their device is
 * still on its way or at work for another study. Nothing depends on it: what was not foreseen is made when it is asked
 * for.
 */
@Component
public class Foresight implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(Foresight.class);

    /** Studies that are looked at: more could begin only after these. */
    private static final int STUDIES = 2;

    private final StudyRepository studies;
    private final StudySpaces spaces;
    private final Preparation preparation;
    private final WorkerService workers;
    private final LocalWorker local;
    private final AtomicInteger waiting = new AtomicInteger();
    /** One look at a time, and one that waits: it sees all that came meanwhile. */
    private final ExecutorService looks = new ThreadPoolExecutor(
            0,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(1),
            Thread.ofPlatform().daemon().name("foresight").factory(),
            (one, full) -> waiting.decrementAndGet());

    Foresight(
            StudyRepository studies,
            StudySpaces spaces,
            Preparation preparation,
            WorkerService workers,
            LocalWorker local) {
        this.studies = studies;
        this.spaces = spaces;
        this.preparation = preparation;
        this.workers = workers;
        this.local = local;
    }

    /**
     * Looks at the studies that begin next, beside the caller. One look that has not begun is enough for all callers.
     */
    public void look() {
        if (waiting.incrementAndGet() > 2) {
            waiting.decrementAndGet();
            return;
        }
        looks.execute(() -> {
            try {
                studies.next(STUDIES).forEach(study -> testbed(study).ifPresent(testbed -> prepare(study, testbed)));
            } catch (DataAccessException | TransactionException away) {
                LOG.debug("the database is away", away);
            } finally {
                waiting.decrementAndGet();
            }
        });
    }

    /** Whether nothing is looked at at this moment. */
    boolean isQuiet() {
        return waiting.get() == 0;
    }

    private void prepare(StudyRow study, Testbed testbed) {
        try {
            preparation.ahead(study, spaces.families().named(study.options().family()), testbed);
        } catch (IllegalArgumentException unknown) {
            // The study meets it again when it begins, and says so.
            LOG.debug("study {} could not be prepared", study.id(), unknown);
        }
    }

    /** The testbed of a present device that may take the study, or of the device that a local worker will offer. */
    private Optional<Testbed> testbed(StudyRow study) {
        return workers.takers(DeviceSelector.parse(study.options().device())).stream()
                .map(DeviceOffer::testbed)
                .findFirst()
                .or(() -> local.device()
                        .flatMap(device -> expected(device, study.options().family())));
    }

    /** A local worker says what its GPU is when it is up; until then the one that the family is tuned for most. */
    private Optional<Testbed> expected(String device, String family) {
        return switch (DeviceSelector.parse(device)) {
            case DeviceSelector.OnCpu onCpu ->
                LaunchModels.testbed(TestbedKind.SIMULATED, gpu -> onCpu.equals(new DeviceSelector.Simulated(gpu)));
            case DeviceSelector.Cuda _, DeviceSelector.AllCuda _, DeviceSelector.Auto _ ->
                LaunchModels.testbed(
                        TestbedKind.CUDA,
                        gpu -> Architecture.ofDevice(gpu)
                                .equals(spaces.families().named(family).architecture()));
        };
    }

    @Override
    public void destroy() {
        looks.shutdownNow();
    }
}
