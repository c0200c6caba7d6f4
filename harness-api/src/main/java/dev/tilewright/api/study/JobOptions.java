package dev.tilewright.api.study;

import dev.tilewright.model.exchange.Budget;
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
}
