package dev.tilewright.api.study;

import dev.tilewright.model.exchange.Budget;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.Problem;
import java.util.List;

/**
 * What a job asks for of each of its studies, with every default filled in and every value checked.
 *
 * @param restriction of the space of the family
 * @param device selector of the devices that may take it
 * @param check whether each kernel text must be proved before it may run
 * @param peers further families whose kernels run in each final, bundles in their version; a job of before they could
 *     be named has none
 */
public record JobOptions(
        String family,
        SpaceRestriction restriction,
        String strategy,
        Budget budget,
        long seed,
        String device,
        boolean check,
        List<String> peers) {

    public JobOptions {
        peers = peers == null ? List.of() : List.copyOf(peers);
    }

    /** What asks for the same of a problem. */
    public JobRequest.Builder request(Problem problem) {
        return JobRequest.of(List.of(ProblemDocument.inShort(problem)))
                .family(family)
                .parameters(restriction.values())
                .space(restriction.full() ? "full" : "default")
                .strategy(strategy)
                .budget(new JobRequest.BudgetRequest(budget.trials(), budget.seconds(), budget.finalists()))
                .seed(seed)
                .device(device)
                .check(check)
                .peers(peers);
    }
}
