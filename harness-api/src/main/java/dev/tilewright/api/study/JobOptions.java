package dev.tilewright.api.study;

import dev.tilewright.model.exchange.Budget;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.exchange.PeerSearch;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.range.TableSize;
import dev.tilewright.model.space.Config;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of a job for each of its studies, with every default filled in and every value checked.
 *
 * @param restriction of the space of the family
 * @param device selector of the devices that may take it
 * @param check whether each kernel text must be proved before it may run
 * @param peers further families whose kernels run in each final, bundles in their version; a job of before they could
 *     be named has none
 * @param peerBudget seconds of GPU in which each final looks for faster kernels of the vendor's
 * @param configs that are tried before the strategy is asked for any; a study with a budget of so many trials tries
 *     nothing else
 * @param eachScheduler whether each tile scheduler is tuned on its own; a job of before it could be asked for is not
 * @param kernels of the table of each range of M at the most
 */
public record JobOptions(
        String family,
        SpaceRestriction restriction,
        String strategy,
        Budget budget,
        long seed,
        String device,
        boolean check,
        List<String> peers,
        @Nullable Double peerBudget,
        List<Config> configs,
        @Nullable Boolean eachScheduler,
        @Nullable Integer kernels) {

    public JobOptions {
        peers = peers == null ? List.of() : List.copyOf(peers);
        peerBudget = peerBudget == null ? PeerSearch.DEFAULT_SECONDS : peerBudget;
        configs = configs == null ? List.of() : List.copyOf(configs);
        eachScheduler = Boolean.TRUE.equals(eachScheduler);
        kernels = kernels == null ? TableSize.USUAL : kernels;
    }

    /** The same for a study that has no final: its screens are all that is wanted. */
    public JobOptions screening(int trials) {
        return with(restriction, new Budget(trials, budget.seconds(), 0), List.of());
    }

    /**
     * The same for a study that times these configs and nothing else. They were found elsewhere, so that nothing is
     * said of its space.
     */
    public JobOptions timing(List<Config> only) {
        return with(SpaceRestriction.NONE, new Budget(only.size(), budget.seconds(), 0), only);
    }

    private JobOptions with(SpaceRestriction searched, Budget other, List<Config> only) {
        return new JobOptions(
                family,
                searched,
                strategy,
                other,
                seed,
                device,
                check,
                peers,
                peerBudget,
                only,
                eachScheduler,
                kernels);
    }

    /** Whether each tile scheduler has an equal part of the trials, and a place in the final. */
    public boolean comparesSchedulers() {
        return Boolean.TRUE.equals(eachScheduler);
    }

    /** Kernels of the table of a range of M at the most. */
    public int tableKernels() {
        return Objects.requireNonNull(kernels);
    }

    /** Seconds of GPU in which each final looks for faster kernels of the vendor's. */
    public double peerSeconds() {
        return Objects.requireNonNull(peerBudget);
    }

    /** A request with the same options for a problem. */
    public JobRequest.Builder request(Problem problem) {
        Config config = restriction.config();
        return JobRequest.of(List.of(ProblemDocument.inShort(problem)))
                .family(family)
                .eachScheduler(comparesSchedulers() ? true : null)
                .config(config == null ? null : config.canonical())
                .parameters(restriction.values())
                .space(restriction.full() ? "full" : "default")
                .strategy(strategy)
                .budget(new JobRequest.BudgetRequest(budget.trials(), budget.seconds(), budget.finalists()))
                .seed(seed)
                .device(device)
                .check(check)
                .peers(peers)
                .peerBudget(peerBudget);
    }
}
