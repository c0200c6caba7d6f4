package dev.tilewright.proof;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.space.families.ClassFiles;
import dev.tilewright.space.families.FamilyBuild;
import java.util.Map;

/**
 * The build of the emulator that this process runs. Everything that has a say in a verdict counts: the emulator, the
 * parser, the proofs, and the launches and references of the families. A verdict of one build says nothing of another.
 *
 * @param id 64 hexadecimal digits
 */
public record EmulatorBuild(String id) {

    /**
     * Reads the running build.
     *
     * @throws IllegalStateException if the class files cannot be found
     */
    public static EmulatorBuild running() {
        return new EmulatorBuild(ClassFiles.hash(Map.of(
                "dev/tilewright/emulator/", PtxEmulator.class,
                "dev/tilewright/ptx/", PtxModule.class,
                "dev/tilewright/gemm/", GemmKernel.class,
                "dev/tilewright/space/", FamilyBuild.class,
                "dev/tilewright/launch/element/", ElementType.class,
                "dev/tilewright/proof/", EmulatorBuild.class)));
    }

    /** The testbed of an emulated GPU: its number of SMs and this build define it. */
    public Testbed testbed(int sms, String assembler) {
        return new Testbed(TestbedKind.EMULATED, "emulator", "build " + shortId(), assembler, sms, "none");
    }

    /** Enough of the id to tell builds apart on a page. */
    public String shortId() {
        return id.substring(0, 12);
    }
}
