package dev.tilewright.emulator;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass.Predicates;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.tilewright.emulator.machine.Cluster;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Device;
import dev.tilewright.emulator.machine.Grid;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.warp.Warp;

/** The arrows inside the emulator. */
@AnalyzeClasses(packages = "dev.tilewright.emulator", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "dev.tilewright.emulator";

    /** So it decodes matrix and instruction descriptors by the manual, not by what gemm writes into them. */
    @ArchTest
    static final ArchRule knowsPtxAlone = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("dev.tilewright..")
                    .and(not(resideInAnyPackage(ROOT + "..", "dev.tilewright.ptx.."))));

    @ArchTest
    static final ArchRule theMachineDoesNotKnowWhatItsInstructionsDo = noClasses()
            .that()
            .resideInAPackage(ROOT + ".machine..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ROOT + ".execute..");

    @ArchTest
    static final ArchRule aWarpDoesNotReachWhatItIsIn =
            reachesNone(Warp.class, Device.class, Cta.class, Cluster.class, Strand.class, Grid.class);

    @ArchTest
    static final ArchRule aDeviceDoesNotReachWhoRunsOnIt =
            reachesNone(Device.class, Cta.class, Cluster.class, Strand.class, Grid.class);

    @ArchTest
    static final ArchRule aCtaDoesNotReachWhatItIsIn = reachesNone(Cta.class, Cluster.class, Strand.class, Grid.class);

    @ArchTest
    static final ArchRule aClusterDoesNotReachWhatItIsIn = reachesNone(Cluster.class, Strand.class, Grid.class);

    @ArchTest
    static final ArchRule instructionsDoNotReachTheGrid = reachesNone(Strand.class, Grid.class);

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.tilewright.(emulator..)").should().beFreeOfCycles();

    /** Neither by itself nor through others. */
    private static ArchRule reachesNone(Class<?> inner, Class<?>... outer) {
        return noClasses()
                .that()
                .areAssignableTo(inner)
                .should()
                .transitivelyDependOnClassesThat(Predicates.belongToAnyOf(outer).forSubtype());
    }
}
