package dev.tilewright.proof;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Proofs need no GPU and no service. */
@AnalyzeClasses(packages = "dev.tilewright.proof", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

    @ArchTest
    static final ArchRule knowsNoGpuAndNoService = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jcuda..", "java.net..", "java.sql..", "dev.tilewright.worker..");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.tilewright.(proof..)").should().beFreeOfCycles();
}
