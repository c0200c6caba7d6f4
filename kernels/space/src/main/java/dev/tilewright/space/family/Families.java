package dev.tilewright.space.family;

import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.text.Vocabulary;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The search spaces of all kernel families, by name.
 *
 * @param all in the order in which they are listed to users
 */
public record Families(List<FamilySpace> all) {

    public Families {
        all = List.copyOf(all);
        if (all.isEmpty()) {
            throw new IllegalArgumentException("there must be at least one kernel family");
        }
    }

    /** The spaces of all families of Tilewright. */
    public static Families standard() {
        return new Families(List.of(new Sm90GemmSpace(), new Sm100GemmSpace()));
    }

    /** Names in order. */
    public List<String> names() {
        return all.stream().map(FamilySpace::family).toList();
    }

    /** The family that is used if none is named and the GPU is not known: the first. */
    public FamilySpace usual() {
        return all.getFirst();
    }

    /** What a family calls its configs in short; of one that is not known, no word but the tile scheduler's. */
    public Vocabulary vocabulary(@Nullable String name) {
        return all.stream()
                .filter(family -> family.family().equals(name))
                .map(FamilySpace::vocabulary)
                .findFirst()
                .orElseGet(Families::unknown);
    }

    /** The words of a family that says none of its own. */
    static Vocabulary unknown() {
        return new Vocabulary(GemmWords.scheduler(), List.of());
    }

    /** The first family whose kernels these GPUs run; empty if there is none for them. */
    public Optional<FamilySpace> of(Architecture architecture) {
        return all.stream()
                .filter(family -> family.architecture().equals(Optional.of(architecture)))
                .findFirst();
    }

    /**
     * The family with this name.
     *
     * @throws IllegalArgumentException naming it and listing the known ones
     */
    public FamilySpace named(String name) {
        return all.stream()
                .filter(family -> family.family().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown kernel family '" + name + "'; known: "
                        + names().stream().collect(Collectors.joining(", "))));
    }
}
