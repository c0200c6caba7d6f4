package dev.tilewright.gemm.family;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.sm100.Sm100Gemm;
import dev.tilewright.gemm.sm90.Sm90Gemm;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import java.util.List;

/**
 * The families whose kernels can be built.
 *
 * @param all in the order in which they are listed to users
 */
public record GemmFamilies(List<GemmFamily> all) {

    public GemmFamilies {
        all = List.copyOf(all);
    }

    /** All families of Tilewright. */
    public static GemmFamilies standard() {
        return new GemmFamilies(List.of(new Sm90Gemm(), new Sm100Gemm()));
    }

    /** Their search spaces. */
    public Families spaces() {
        return new Families(all.stream().map(GemmFamily::space).toList());
    }

    /**
     * The family with this name.
     *
     * @throws IllegalArgumentException listing the known ones, or saying that nobody builds its kernels
     */
    public GemmFamily named(String name) {
        Families.standard().find(name).filter(FamilySpace::isInstalled).ifPresent(family -> {
            throw new IllegalArgumentException(FamilySpace.noText(name));
        });
        spaces().named(name);
        return all.stream()
                .filter(family -> family.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
