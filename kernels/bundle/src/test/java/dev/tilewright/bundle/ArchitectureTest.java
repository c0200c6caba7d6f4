package dev.tilewright.bundle;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Kernels of others as a family: it runs and proves none. */
@AnalyzeClasses(packages = "dev.tilewright.bundle", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

    @ArchTest
    static final ArchRule knowsNoOther = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("dev.tilewright..")
                    .and(not(resideInAnyPackage(
                            "dev.tilewright.bundle..",
                            "dev.tilewright.launch..",
                            "dev.tilewright.model..",
                            "dev.tilewright.space.."))));

    @ArchTest
    static final ArchRule needsNoNetworkDatabaseOrDriver = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.net..", "java.sql..", "java.lang.foreign..", "jcuda..", "org.springframework..");
}
