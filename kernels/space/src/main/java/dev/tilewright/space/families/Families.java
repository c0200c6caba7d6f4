package dev.tilewright.space.families;

import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.sm100.Sm100GemmSpace;
import dev.tilewright.space.sm90.Sm90GemmSpace;
import dev.tilewright.space.text.Vocabulary;
import dev.tilewright.space.vendor.VendorSpace;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The search spaces of all kernel families, by name.
 *
 * @param all those of Tilewright, in the order in which they are listed to users
 * @param brought those that users bring
 */
public record Families(List<FamilySpace> all, Brought brought) {

    /** Families that come and go while a service runs. */
    @FunctionalInterface
    public interface Brought {

        /**
         * The family with this name; empty for a name that is none of a family that somebody brought.
         *
         * @throws IllegalArgumentException naming what there is if the name is one, and nobody brought it
         */
        Optional<FamilySpace> find(String name);
    }

    /** No more than these. */
    public Families(List<FamilySpace> all) {
        this(all, _ -> Optional.empty());
    }

    public Families {
        all = List.copyOf(all);
        if (all.isEmpty()) {
            throw new IllegalArgumentException("there must be at least one kernel family");
        }
    }

    /** The spaces of all families of Tilewright. */
    public static Families standard() {
        return new Families(List.of(new Sm90GemmSpace(), new Sm100GemmSpace(), new VendorSpace()));
    }

    /** The same with those that users bring. */
    public Families with(Brought others) {
        return new Families(all, others);
    }

    /** Names in order. */
    public List<String> names() {
        return all.stream().map(FamilySpace::family).toList();
    }

    /** The family that is used if none is named and the GPU is not known: the first. */
    public FamilySpace usual() {
        return all.getFirst();
    }

    /** The vocabulary of a family; for an unknown family, only the word of the tile scheduler. */
    public Vocabulary vocabulary(@Nullable String name) {
        return all.stream()
                .filter(family -> family.family().equals(name))
                .map(FamilySpace::vocabulary)
                .findFirst()
                .orElseGet(() -> new Vocabulary(Scheduler.word(), List.of()));
    }

    /** The first family whose kernels these GPUs run; empty if there is none for them. */
    public Optional<FamilySpace> of(Architecture architecture) {
        return all.stream()
                .filter(family -> family.architecture().equals(Optional.of(architecture)))
                .findFirst();
    }

    /**
     * The family with this name, if there is one.
     *
     * @throws IllegalArgumentException if it is the name of one that a user brings, and nobody did
     */
    public Optional<FamilySpace> find(String name) {
        return all.stream()
                .filter(family -> family.family().equals(name))
                .findFirst()
                .or(() -> brought.find(name));
    }

    /** Whether it is the name of a family whose kernels are those of an installed library. */
    public boolean isInstalled(String name) {
        return find(name).filter(FamilySpace::isInstalled).isPresent();
    }

    /**
     * The family with this name.
     *
     * @throws IllegalArgumentException naming it and listing the known ones
     */
    public FamilySpace named(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException("unknown kernel family '" + name + "'; known: "
                        + names().stream().collect(Collectors.joining(", "))));
    }
}
