package dev.tilewright.simulator;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Predicts what a kernel takes from its config alone. */
@AnalyzeClasses(packages = "dev.tilewright.simulator", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

    @ArchTest
    static final ArchRule knowsNoOther = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("dev.tilewright..")
                    .and(not(resideInAnyPackage(
                            "dev.tilewright.simulator..",
                            "dev.tilewright.model..",
                            "dev.tilewright.results..",
                            "dev.tilewright.space.."))));

    @ArchTest
    static final ArchRule needsNoNetworkDatabaseOrDriver = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.net..", "java.sql..", "java.lang.foreign..", "jcuda..", "org.springframework..");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.tilewright.(simulator..)").should().beFreeOfCycles();
}
