#!/usr/bin/env bash
# One task of a job array: its shard I/N of a sweep, into OUT/I.
#
#     sbatch --array=1-8 scripts/slurm/array.sh OUT SWEEP [options of fftprec run]
#     sbatch --dependency=afterok:JOB --wrap 'fftprec merge OUT/[1-8] -o OUT/merged'
#
# fftprec takes its shard from the array, so a task that failed or ran out of time is run again, and
# goes on where it stopped, by giving the shard by hand: the same line without --array, with
# FFTPREC_SHARD=3/8 in the environment. FFTPREC names the program; default the one on PATH.
#SBATCH --job-name=fftprec
#SBATCH --output=%x-%A_%a.log
set -euo pipefail

if (($# < 2)); then
  echo "usage: sbatch --array=1-N $0 OUT SWEEP [options of fftprec run]" >&2
  exit 2
fi
out=$1
shift
shard=()
if [[ -n ${FFTPREC_SHARD:-} ]]; then
  shard=(--shard "$FFTPREC_SHARD")
  index=${FFTPREC_SHARD%%/*}
elif [[ -n ${SLURM_ARRAY_TASK_ID:-} ]]; then
  index=$(((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN) / SLURM_ARRAY_TASK_STEP + 1))
else
  echo "$0: neither a task of a job array nor FFTPREC_SHARD=I/N" >&2
  exit 2
fi
exec "${FFTPREC:-fftprec}" run "$@" "${shard[@]}" -o "$out/$index" \
  -j "${SLURM_CPUS_PER_TASK:-1}"
