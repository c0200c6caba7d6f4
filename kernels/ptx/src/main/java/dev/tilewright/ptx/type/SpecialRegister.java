package dev.tilewright.ptx.type;

/** A read-only register the hardware fills. PTX section 10. */
public enum SpecialRegister {
    TID_X("%tid.x", ScalarType.U32),
    TID_Y("%tid.y", ScalarType.U32),
    TID_Z("%tid.z", ScalarType.U32),
    NTID_X("%ntid.x", ScalarType.U32),
    NTID_Y("%ntid.y", ScalarType.U32),
    NTID_Z("%ntid.z", ScalarType.U32),
    LANEID("%laneid", ScalarType.U32),
    WARPID("%warpid", ScalarType.U32),
    NWARPID("%nwarpid", ScalarType.U32),
    CTAID_X("%ctaid.x", ScalarType.U32),
    CTAID_Y("%ctaid.y", ScalarType.U32),
    CTAID_Z("%ctaid.z", ScalarType.U32),
    NCTAID_X("%nctaid.x", ScalarType.U32),
    NCTAID_Y("%nctaid.y", ScalarType.U32),
    NCTAID_Z("%nctaid.z", ScalarType.U32),
    SMID("%smid", ScalarType.U32),
    NSMID("%nsmid", ScalarType.U32),
    CLUSTERID_X("%clusterid.x", ScalarType.U32),
    CLUSTERID_Y("%clusterid.y", ScalarType.U32),
    CLUSTERID_Z("%clusterid.z", ScalarType.U32),
    NCLUSTERID_X("%nclusterid.x", ScalarType.U32),
    NCLUSTERID_Y("%nclusterid.y", ScalarType.U32),
    NCLUSTERID_Z("%nclusterid.z", ScalarType.U32),
    CLUSTER_CTAID_X("%cluster_ctaid.x", ScalarType.U32),
    CLUSTER_CTAID_Y("%cluster_ctaid.y", ScalarType.U32),
    CLUSTER_CTAID_Z("%cluster_ctaid.z", ScalarType.U32),
    CLUSTER_NCTAID_X("%cluster_nctaid.x", ScalarType.U32),
    CLUSTER_NCTAID_Y("%cluster_nctaid.y", ScalarType.U32),
    CLUSTER_NCTAID_Z("%cluster_nctaid.z", ScalarType.U32),
    CLUSTER_CTARANK("%cluster_ctarank", ScalarType.U32),
    CLUSTER_NCTARANK("%cluster_nctarank", ScalarType.U32),
    LANEMASK_EQ("%lanemask_eq", ScalarType.U32),
    LANEMASK_LE("%lanemask_le", ScalarType.U32),
    LANEMASK_LT("%lanemask_lt", ScalarType.U32),
    LANEMASK_GE("%lanemask_ge", ScalarType.U32),
    LANEMASK_GT("%lanemask_gt", ScalarType.U32),
    DYNAMIC_SMEM_SIZE("%dynamic_smem_size", ScalarType.U32),
    TOTAL_SMEM_SIZE("%total_smem_size", ScalarType.U32),
    GRIDID("%gridid", ScalarType.U64),
    CLOCK("%clock", ScalarType.U32),
    CLOCK_HI("%clock_hi", ScalarType.U32),
    CLOCK64("%clock64", ScalarType.U64),
    /** Nanoseconds of a device-wide clock. */
    GLOBALTIMER("%globaltimer", ScalarType.U64),
    GLOBALTIMER_LO("%globaltimer_lo", ScalarType.U32),
    GLOBALTIMER_HI("%globaltimer_hi", ScalarType.U32);

    private final String ptx;
    private final ScalarType type;

    SpecialRegister(String ptx, ScalarType type) {
        this.ptx = ptx;
        this.type = type;
    }

    public String ptx() {
        return ptx;
    }

    public ScalarType type() {
        return type;
    }
}
