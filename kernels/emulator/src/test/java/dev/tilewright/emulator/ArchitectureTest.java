package dev.tilewright.emulator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows inside the emulator. */
@AnalyzeClasses(packages = "dev.tilewright.emulator", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "dev.tilewright.emulator";

    @ArchTest
    static final ArchRule aProgramDoesNotKnowWhatItsInstructionsDo = noClasses()
            .that()
            .resideInAnyPackage(ROOT + ".program..", ROOT + ".machine..", ROOT + ".memory..", ROOT + ".order..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ROOT + ".execute..");
}
