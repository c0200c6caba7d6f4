package dev.tilewright.model;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The words that all others share: it knows nobody. */
@AnalyzeClasses(packages = "dev.tilewright.model", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

    @ArchTest
    static final ArchRule knowsNoOther = noClasses()
            .should()
            .dependOnClassesThat(
                    resideInAPackage("dev.tilewright..").and(not(resideInAnyPackage("dev.tilewright.model.."))));

    @ArchTest
    static final ArchRule needsNoNetworkDatabaseOrDriver = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.net..", "java.sql..", "java.lang.foreign..", "jcuda..", "org.springframework..");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.tilewright.(model..)").should().beFreeOfCycles();
}
