package dev.tilewright.api.best;

import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.DeviceOffer;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.families.Families;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** The best known config of one problem, for those who go on with it. */
@Service
public class BestKnown {

    private final BestStudies studies;
    private final WorkerService workers;
    private final Families families;

    BestKnown(BestStudies studies, WorkerService workers, Families families) {
        this.studies = studies;
        this.workers = workers;
        this.families = families;
    }

    /**
     * A config that won a final.
     *
     * @param gpu model of the GPU, such as {@code NVIDIA H200}
     * @param medianNs of a launch, in that final
     */
    public record Winner(UUID trialId, String family, Config config, String gpu, double medianNs) {}

    /**
     * The best config on the GPUs that are offered now and that may be chosen; on any, while none is offered.
     *
     * @param family {@code null} for any but that of an installed library, whose algorithms hold for its version alone
     */
    public Optional<Winner> forDevice(Problem problem, @Nullable String family, DeviceSelector device) {
        Set<String> offered = workers.offers().stream()
                .filter(offer -> offer.testbed().kind() == TestbedKind.CUDA
                        && device.accepts(TestbedKind.CUDA, offer.label(), true))
                .map(BestKnown::gpu)
                .collect(Collectors.toSet());
        return of(problem, family).stream()
                .filter(known -> family != null || !families.isInstalled(known.family()))
                .filter(known -> offered.isEmpty() || offered.contains(known.gpu()))
                .min(Comparator.comparingDouble(Winner::medianNs));
    }

    private static String gpu(DeviceOffer offer) {
        return offer.testbed().device();
    }

    /** One for each family and testbed; the newest first. */
    private List<Winner> of(Problem problem, @Nullable String family) {
        BestRepository.Question question = problem.isPlain()
                ? BestRepository.Question.of(problem.shape(), problem.types().a(), null, family)
                : BestRepository.Question.of(problem, null, family);
        return studies.of(question).stream()
                .map(raced -> new Winner(
                        raced.best().id(),
                        raced.study().options().family(),
                        raced.best().config(),
                        raced.study().bound().testbed().device(),
                        raced.best().medianNs()))
                .toList();
    }
}
