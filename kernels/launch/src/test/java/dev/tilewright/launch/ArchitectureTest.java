package dev.tilewright.launch;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The language of launches is read by whoever runs them: it knows none of them. */
@AnalyzeClasses(packages = "dev.tilewright.launch", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

    @ArchTest
    static final ArchRule knowsNoMachineAndNoFamily = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.tilewright.emulator..",
                    "dev.tilewright.gemm..",
                    "dev.tilewright.ptx..",
                    "dev.tilewright.space..",
                    "java.net..",
                    "java.sql..");

    private static final String EPILOGUE =
            "dev\\.tilewright\\.model\\.problem\\.(Arithmetic|Epilogue|EpilogueOp|Activation|Major|Scales|OperandRole|ProblemShape)(\\$.*)?";

    /** A launch may end with an epilogue, of whatever problem. */
    @ArchTest
    static final ArchRule onlyBundlesKnowProblems = noClasses()
            .that()
            .resideOutsideOfPackage("dev.tilewright.launch.bundle..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.tilewright.model..")
                    .and(resideOutsideOfPackage("dev.tilewright.model.text.."))
                    .and(not(nameMatching(EPILOGUE))));

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.tilewright.(launch..)").should().beFreeOfCycles();
}
