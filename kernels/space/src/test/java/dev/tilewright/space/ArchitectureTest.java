package dev.tilewright.space;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows of the module: it knows the model and nothing else of Tilewright. */
@AnalyzeClasses(packages = "dev.tilewright.space", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule onlyTheModelIsKnown = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.tilewright.space..", "dev.tilewright.model..", "java..", "org.jspecify..");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.tilewright.(space..)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule nothingStaticChanges =
            fields().that().areStatic().should().beFinal();
}
