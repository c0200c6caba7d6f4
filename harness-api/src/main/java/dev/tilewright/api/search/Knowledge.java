package dev.tilewright.api.search;

import dev.tilewright.model.space.Config;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Knowledge of a family on a testbed before any measurement.
 *
 * @param tile the parameters that make a tile
 * @param variants the parameters in which configs of a tile differ by more than a model can say
 * @param prediction what a model of the testbed's GPU says of launches of the problem; empty where there is no model
 * @param promising what is tried first where there is no model
 */
public record Knowledge(
        List<String> tile, List<String> variants, Optional<Prediction> prediction, Promising promising) {

    /** Nothing is known. */
    public static final Knowledge NONE = new Knowledge(List.of(), List.of(), Optional.empty());

    /** Configs that are worth a try before any other. */
    @FunctionalInterface
    public interface Promising {

        /** The most promising first, each once, perhaps not of the space; the same seed gives the same sequence. */
        Stream<Config> inOrder(long seed);
    }

    /** No config is known to be better than another. */
    public Knowledge(List<String> tile, List<String> variants, Optional<Prediction> prediction) {
        this(tile, variants, prediction, _ -> Stream.empty());
    }

    public Knowledge {
        tile = List.copyOf(tile);
        variants = List.copyOf(variants);
    }
}
