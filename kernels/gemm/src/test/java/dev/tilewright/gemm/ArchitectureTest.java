package dev.tilewright.gemm;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows inside gemm. */
@AnalyzeClasses(packages = "dev.tilewright.gemm", importOptions = ArchitectureTest.WithoutTests.class)
class ArchitectureTest {

    /** Test classes lie in a folder of their own. */
    static final class WithoutTests implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test/") && !location.contains("/test-classes/");
        }
    }

    @ArchTest
    static final ArchRule launchKnowsNothingOfPtx = noClasses()
            .that()
            .resideInAPackage("dev.tilewright.gemm.launch..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.tilewright.ptx..");

    @ArchTest
    static final ArchRule theOracleKnowsNoneOfTheKernelsItJudges = noClasses()
            .that()
            .resideInAPackage("dev.tilewright.gemm.oracle..")
            .should()
            .dependOnClassesThat(new DescribedPredicate<JavaClass>("other classes of gemm") {
                @Override
                public boolean test(JavaClass type) {
                    return type.getPackageName().startsWith("dev.tilewright.gemm")
                            && !type.getPackageName().startsWith("dev.tilewright.gemm.oracle");
                }
            });

    @ArchTest
    static final ArchRule buildingBlocksDoNotKnowWhatIsBuiltOfThem = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.tilewright.gemm.pipeline..",
                    "dev.tilewright.gemm.division..",
                    "dev.tilewright.gemm.raster..",
                    "dev.tilewright.gemm.scheduler..",
                    "dev.tilewright.gemm.mainloop..",
                    "dev.tilewright.gemm.epilogue..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.tilewright.gemm",
                    "dev.tilewright.gemm.sm90..",
                    "dev.tilewright.gemm.sm100..",
                    "dev.tilewright.gemm.family..");

    /** So that descriptors and layouts that both sides have wrong do not look right. */
    @ArchTest
    static final ArchRule kernelsShareNoCodeWithTheEmulatorThatProvesThem =
            noClasses().should().dependOnClassesThat().resideInAPackage("dev.tilewright.emulator..");

    @ArchTest
    static final ArchRule noCudaNoSqlNoHttp = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "jcuda..", "java.lang.foreign..", "java.sql..", "java.net.http..", "org.springframework..");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.tilewright.(gemm..)").should().beFreeOfCycles();
}
