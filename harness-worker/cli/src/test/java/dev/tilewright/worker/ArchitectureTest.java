package dev.tilewright.worker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.worker.cli.Printer;
import dev.tilewright.worker.cli.board.Board;
import dev.tilewright.worker.cli.board.MarkdownReport;
import dev.tilewright.worker.cli.capture.CaptureCommand;
import java.io.PrintStream;
import java.util.Set;

/** The arrows inside the worker. */
@AnalyzeClasses(packages = "dev.tilewright.worker", importOptions = ArchitectureTest.MainClasses.class)
final class ArchitectureTest {

    /** Leaves out what lies where this test lies. */
    static final class MainClasses implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains(ArchitectureTest.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .getPath());
        }
    }

    /** Of their classes the harness knows the scheduler, which all families have, and its name. */
    private static final Set<String> ROOMS_OF_FAMILIES = Set.of(
            "dev.tilewright.space.parameter",
            "dev.tilewright.space.gemm",
            "dev.tilewright.space.sm90",
            "dev.tilewright.space.sm100");

    private static final String ROOT = "dev.tilewright.worker";

    @ArchTest
    static final ArchRule onlyDeviceCudaTouchesTheGpu = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".gpu.cuda..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jcuda..", "java.lang.foreign..");

    @ArchTest
    static final ArchRule noDatabaseAndNoSpring = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..", "org.springframework..");

    @ArchTest
    static final ArchRule statisticsArePure = classes()
            .that()
            .resideInAPackage(ROOT + ".gpu.stats..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    ROOT + ".gpu.stats..",
                    "java.lang..",
                    "java.util..",
                    "dev.tilewright.gate.statistics..",
                    "dev.tilewright.model..",
                    "org.apache.commons..",
                    "org.jspecify..");

    @ArchTest
    static final ArchRule onlyTheProcessPackageAndTheLauncherStartProcesses = noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + ".link.process..", ROOT + ".agent.compile..", ROOT + ".cli.service..")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(ProcessBuilder.class);

    @ArchTest
    static final ArchRule onlyTheClientSpeaksHttp = noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + ".link.client..", ROOT + ".cli.service..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.net.http..");

    @ArchTest
    static final ArchRule devicesKnowNoLeases = noClasses()
            .that()
            .resideInAnyPackage(
                    ROOT + ".agent.device..",
                    ROOT + ".agent.runner..",
                    ROOT + ".agent.compile..",
                    ROOT + ".agent.trial..",
                    ROOT + ".link.process..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT + ".agent.lease..", ROOT + ".link.client..");

    @ArchTest
    static final ArchRule theLinkKnowsNoProgram = noClasses()
            .that()
            .resideInAPackage(ROOT + ".link..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT, ROOT + ".gpu..", ROOT + ".agent..", ROOT + ".cli..");

    @ArchTest
    static final ArchRule theChildrenKnowNoHost = noClasses()
            .that()
            .resideInAPackage(ROOT + ".gpu..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT, ROOT + ".agent..", ROOT + ".cli..", ROOT + ".link.client..");

    @ArchTest
    static final ArchRule theAgentKnowsNeitherItsChildrenNorTheCommandLine = noClasses()
            .that()
            .resideInAPackage(ROOT + ".agent..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT, ROOT + ".gpu..", ROOT + ".cli..");

    /** What wires them all lies in a package of its own. */
    @ArchTest
    static final ArchRule theCommandLineKnowsNeitherTheAgentNorItsChildren = noClasses()
            .that()
            .resideInAPackage(ROOT + ".cli..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT, ROOT + ".gpu..", ROOT + ".agent..");

    @ArchTest
    static final ArchRule linesForPeopleAreMadeFromDocumentsAlone = noClasses()
            .that()
            .resideInAPackage(ROOT + ".cli.board..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.net..", "java.nio..", ROOT + ".cli", ROOT + ".link.client..");

    /** A verb prints by a printer, which knows the width of the terminal. Progress and notices are beside it. */
    @ArchTest
    static final ArchRule standardOutputHasAPrinter = fields().that()
            .haveRawType(PrintStream.class)
            .and()
            .areDeclaredInClassesThat()
            .resideInAPackage(ROOT + ".cli..")
            .and()
            .areNotDeclaredIn(Printer.class)
            .and()
            .areNotDeclaredIn(CaptureCommand.class)
            .should()
            .haveNameMatching("err|notices");

    @ArchTest
    static final ArchRule nothingGoesAroundThePrinter =
            noClasses().that().resideInAPackage(ROOT + ".cli..").should().accessField(System.class, "out");

    /** The width comes from the printer; a document has any. {@code BoardsFitTest} shows the boards. */
    @ArchTest
    static final ArchRule boardsAreAskedForLinesOfAWidth = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(MarkdownReport.class.getName())
            .should()
            .callMethodWhere(DescribedPredicate.describe(
                    "asks a board for lines of any width",
                    call -> call.getTargetOwner().isAssignableTo(Board.class)
                            && call.getName().equals("lines")
                            && call.getTarget().getRawParameterTypes().isEmpty()));

    @ArchTest
    static final ArchRule ofTheFamiliesOnlyWhatAllHaveIsSeen = noClasses()
            .should()
            .dependOnClassesThat(DescribedPredicate.describe(
                    "are of one family",
                    type -> ROOMS_OF_FAMILIES.contains(type.getPackageName())
                            && !type.getName().equals(Scheduler.class.getName())
                            && !type.getName().equals(Key.class.getName())));

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule nothingStaticChanges =
            fields().that().areStatic().should().beFinal();
}
