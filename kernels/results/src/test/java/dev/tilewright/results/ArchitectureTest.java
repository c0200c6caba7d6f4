package dev.tilewright.results;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows of the module: it knows JSON, and nothing of what documents say. */
@AnalyzeClasses(packages = "dev.tilewright.results", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule nothingOfTilewrightIsKnown = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.tilewright.results..", "java..", "org.jspecify..", "tools.jackson..");
}
