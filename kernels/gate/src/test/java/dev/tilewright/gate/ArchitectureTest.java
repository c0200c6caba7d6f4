package dev.tilewright.gate;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Of the house the gate knows the model alone; what it decides by is pure. */
@AnalyzeClasses(packages = "dev.tilewright.gate", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

    @ArchTest
    static final ArchRule knowsTheModelAlone = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.tilewright.api..",
                    "dev.tilewright.emulator..",
                    "dev.tilewright.gemm..",
                    "dev.tilewright.launch..",
                    "dev.tilewright.ptx..",
                    "dev.tilewright.space..",
                    "dev.tilewright.worker..",
                    "java.net..",
                    "java.nio.file..",
                    "java.sql..");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.tilewright.(gate..)").should().beFreeOfCycles();
}
