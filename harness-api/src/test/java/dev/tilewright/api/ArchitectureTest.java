package dev.tilewright.api;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.device.LaunchModel;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.families.FamilyBuild;
import dev.tilewright.space.family.AskedSpace;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.family.VendorFamily;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Set;
import org.springframework.stereotype.Repository;

@AnalyzeClasses(packages = "dev.tilewright.api", importOptions = ArchitectureTest.NoTests.class)
class ArchitectureTest {

    /** Whatever does not lie where this class lies. */
    static final class NoTests implements ImportOption {

        @Override
        public boolean includes(Location location) {
            return !location.contains(ArchitectureTest.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .getPath());
        }
    }

    /** What every family has or is asked for; the rest of their package is of the GEMM families. */
    private static final Set<Class<?>> OF_ALL_FAMILIES = Set.of(
            DeviceLimits.class,
            AskedSpace.class,
            Families.class,
            FamilyBuild.class,
            FamilySpace.class,
            LaunchModel.class,
            VendorFamily.class);

    /** Classes that answer questions about a study, beside those that put them. */
    private static final Set<String> ANSWERING =
            Set.of("Search", "Contenders", "Preparation", "Decision", "StudySnapshot", "SpaceTrees");

    @ArchTest
    static final ArchRule ofTheKernelsOnlySpacesAreSeen = noClasses()
            .should()
            .dependOnClassesThat(DescribedPredicate.describe(
                    "are of kernels but neither model nor spaces nor bundles nor gates",
                    type -> type.getPackageName().startsWith("dev.tilewright.")
                            && !type.getPackageName().startsWith("dev.tilewright.api")
                            && !type.getPackageName().startsWith("dev.tilewright.model")
                            && !type.getPackageName().startsWith("dev.tilewright.space")
                            && !type.getPackageName().startsWith("dev.tilewright.gate")
                            && !type.getPackageName().equals("dev.tilewright.bundle")
                            && !type.getPackageName().equals("dev.tilewright.launch.bundle")
                            && !type.getPackageName().startsWith("dev.tilewright.simulator")));

    @ArchTest
    static final ArchRule ofTheFamiliesOnlyWhatAllHaveIsSeen = noClasses()
            .should()
            .dependOnClassesThat(DescribedPredicate.describe(
                    "are of one family",
                    type -> type.getPackageName().equals("dev.tilewright.space.family")
                            && OF_ALL_FAMILIES.stream()
                                    .map(Class::getName)
                                    .noneMatch(known -> type.getName().equals(known)
                                            || type.getName().startsWith(known + "$"))));

    @ArchTest
    static final ArchRule sqlIsInRepositoriesAlone = noClasses()
            .that()
            .haveSimpleNameNotEndingWith("Repository")
            .and()
            .resideOutsideOfPackage("..platform.database..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..", "org.springframework.jdbc..", "org.postgresql..");

    @ArchTest
    static final ArchRule timeComesFromTheClock = noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(OffsetDateTime.class, "now")
            .orShould()
            .callMethod(LocalDateTime.class, "now");

    @ArchTest
    static final ArchRule onlyThePlatformMakesAClock = noClasses()
            .that()
            .resideOutsideOfPackage("dev.tilewright.api.platform..")
            .should()
            .callMethod(Clock.class, "systemUTC");

    @ArchTest
    static final ArchRule featuresHaveNoCycles =
            slices().matching("dev.tilewright.api.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theQueueKnowsNoWork = noClasses()
            .that()
            .resideInAPackage("dev.tilewright.api.work")
            .should()
            .dependOnClassesThat(DescribedPredicate.describe(
                    "are of a feature",
                    type -> type.getPackageName().startsWith("dev.tilewright.")
                            && !type.getPackageName().equals("dev.tilewright.api.work")
                            && !type.getPackageName().startsWith("dev.tilewright.api.platform")));

    @ArchTest
    static final ArchRule thePlatformKnowsNoFeature = noClasses()
            .that()
            .resideInAPackage("dev.tilewright.api.platform..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.tilewright.api..")
                    .and(resideOutsideOfPackage("dev.tilewright.api.platform..")));

    @ArchTest
    static final ArchRule theSearchIsPure = classes()
            .that()
            .resideInAPackage("dev.tilewright.api.search..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.tilewright.api.search..",
                    "dev.tilewright.model..",
                    "dev.tilewright.space..",
                    "dev.tilewright.simulator..",
                    "java..",
                    "org.jspecify..",
                    // That it is one of the strategies, and nothing else of Spring.
                    "org.springframework.stereotype..");

    /**
     * A question is answered on a thread of its own, from what was read before: a database that does not answer is no
     * answer.
     */
    @ArchTest
    static final ArchRule whoPutsAQuestionReachesNoRepository = noClasses()
            .that(DescribedPredicate.describe(
                    "put questions or answer them",
                    type -> type.getMethodCallsFromSelf().stream().anyMatch(ArchitectureTest::isQuestion)
                            || ANSWERING.contains(type.getSimpleName())))
            .should()
            .transitivelyDependOnClassesThat(DescribedPredicate.describe(
                    "are repositories, or bring families from the database",
                    type -> type.isAnnotatedWith(Repository.class)
                            || type.getPackageName().startsWith("org.springframework.jdbc")
                            || type.getName().equals("dev.tilewright.api.study.StudySpaces")
                            || type.getName().equals("dev.tilewright.api.bundle.BundleService")));

    private static boolean isQuestion(JavaMethodCall call) {
        return call.getTarget().getName().equals("ask")
                && call.getTargetOwner().getSimpleName().equals("Asks");
    }

    @ArchTest
    static final ArchRule nothingStaticChanges =
            fields().that().areStatic().should().beFinal();
}
