package dev.tilewright.api.study;

import dev.tilewright.space.SpaceTree;
import java.util.List;

/** Says which rules emptied a space. */
public final class EmptySpace {

    private EmptySpace() {}

    /** For each rule that refuses what the others have left, one example with its values. */
    public static List<String> lines(SpaceTree space) {
        return space.emptiedBy().stream()
                .map(violation -> "no config keeps every rule: " + violation)
                .toList();
    }
}
