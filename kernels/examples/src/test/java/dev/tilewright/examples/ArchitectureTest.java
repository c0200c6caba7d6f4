package dev.tilewright.examples;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The ladder is read from top to bottom: it shows its own code, and not that of the families. */
@AnalyzeClasses(packages = "dev.tilewright.examples", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

    @ArchTest
    static final ArchRule ofTheFamiliesOnlyPipelinesAndLaunchesAreUsed = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.tilewright.gemm",
                    "dev.tilewright.gemm.sm90..",
                    "dev.tilewright.gemm.sm100..",
                    "dev.tilewright.gemm.family..",
                    "dev.tilewright.gemm.kernel..",
                    "dev.tilewright.gemm.mainloop..",
                    "dev.tilewright.gemm.epilogue..",
                    "dev.tilewright.gemm.scheduler..",
                    "dev.tilewright.space..");

    @ArchTest
    static final ArchRule knowsNoGpuAndNoService = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jcuda..", "java.net..", "java.sql..", "dev.tilewright.worker..");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.tilewright.(examples..)").should().beFreeOfCycles();
}
