package dev.tilewright.api.search;

import java.util.List;
import java.util.Optional;

/**
 * What is known of a family on a testbed before anything was measured.
 *
 * @param tile the parameters that make a tile
 * @param variants the parameters in which configs of a tile differ by more than a model can say
 * @param prediction what a model of the testbed's GPU says of launches of the problem; empty where there is no model
 */
public record Knowledge(List<String> tile, List<String> variants, Optional<Prediction> prediction) {

    /** Nothing is known. */
    public static final Knowledge NONE = new Knowledge(List.of(), List.of(), Optional.empty());

    public Knowledge {
        tile = List.copyOf(tile);
        variants = List.copyOf(variants);
    }
}
