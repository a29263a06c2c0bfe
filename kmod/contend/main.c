// SPDX-License-Identifier: GPL-2.0-only
/*
 * msilat-contend: contention on an eventfd's wait-queue lock, for the lab.
 *
 * On PREEMPT_RT that lock sleeps, and nothing that takes it may run in hard IRQ. This module makes
 * the lock busy, with bounds on everything, so that what does take it there is caught. It does
 * nothing that user space could not bring about by reading and polling the eventfd; it only does it
 * often, and in the state that is wanted.
 *
 * Nothing loads it by itself: it has no alias. It is refused without allow_unsafe=1, and outside a
 * virtual machine also without allow_host=1.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "contender.h"

#define CONTEND_VERSION	"0.1.0"

static bool allow_unsafe;
module_param(allow_unsafe, bool, 0444);
MODULE_PARM_DESC(allow_unsafe,
		 "Needed: the caller knows that this disturbs the machine on purpose (default 0)");

static bool allow_host;
module_param(allow_host, bool, 0444);
MODULE_PARM_DESC(allow_host, "Needed outside a virtual machine (default 0)");

/* struct contend_file - one open of the device */
struct contend_file {
	struct mutex lock; /* serialises its ioctls */
	struct contender *contender;
};

static int contend_open(struct inode *inode, struct file *file)
{
	struct contend_file *cf;

	if (!capable(CAP_SYS_RAWIO))
		return -EPERM;

	cf = kzalloc(sizeof(*cf), GFP_KERNEL_ACCOUNT);
	if (!cf)
		return -ENOMEM;
	mutex_init(&cf->lock);
	file->private_data = cf;
	return nonseekable_open(inode, file);
}

static int contend_release(struct inode *inode, struct file *file)
{
	struct contend_file *cf = file->private_data;

	if (cf->contender)
		contender_free(cf->contender);
	kfree(cf);
	return 0;
}

static int contend_start(struct contend_file *cf, void __user *arg)
{
	struct msilat_contend_start start;
	struct contender *contender;

	if (!capable(CAP_SYS_RAWIO))
		return -EPERM;
	if (cf->contender && !contender_is_stopped(cf->contender))
		return -EBUSY;
	if (copy_from_user(&start, arg, sizeof(start)))
		return -EFAULT;
	if (start.argsz < sizeof(start) || start.reserved)
		return -EINVAL;

	contender = contender_start(&start);
	if (IS_ERR(contender))
		return PTR_ERR(contender);

	if (cf->contender)
		contender_free(cf->contender);
	cf->contender = contender;
	return 0;
}

static int contend_stats(struct contend_file *cf, void __user *arg)
{
	struct msilat_contend_stats stats = {};
	u32 argsz;

	if (get_user(argsz, (u32 __user *)arg))
		return -EFAULT;
	if (argsz < sizeof(stats))
		return -EINVAL;
	if (!cf->contender)
		return -ENOENT;

	stats.argsz = argsz;
	contender_stats(cf->contender, &stats);
	return copy_to_user(arg, &stats, sizeof(stats)) ? -EFAULT : 0;
}

static long contend_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct contend_file *cf = file->private_data;
	long ret = 0;

	mutex_lock(&cf->lock);
	switch (cmd) {
	case MSILAT_CONTEND_START:
		ret = contend_start(cf, (void __user *)arg);
		break;
	case MSILAT_CONTEND_STOP:
		if (cf->contender)
			contender_stop(cf->contender);
		break;
	case MSILAT_CONTEND_STATS:
		ret = contend_stats(cf, (void __user *)arg);
		break;
	default:
		ret = -ENOTTY;
	}
	mutex_unlock(&cf->lock);
	return ret;
}

static const struct file_operations contend_fops = {
	.owner		= THIS_MODULE,
	.open		= contend_open,
	.release	= contend_release,
	.unlocked_ioctl	= contend_ioctl,
	.compat_ioctl	= compat_ptr_ioctl,
};

static struct miscdevice contend_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "msilat-contend",
	.mode	= 0600,
	.fops	= &contend_fops,
};

/* Where the architecture does not tell, it is no virtual machine as far as we know. */
static bool contend_in_vm(void)
{
#ifdef CONFIG_X86
	return boot_cpu_has(X86_FEATURE_HYPERVISOR);
#else
	return false;
#endif
}

static int __init contend_init(void)
{
	int ret;

	if (!allow_unsafe) {
		pr_err("disturbs the machine on purpose: refused without allow_unsafe=1\n");
		return -EPERM;
	}
	if (!contend_in_vm() && !allow_host) {
		pr_err("this is no virtual machine: refused without allow_host=1\n");
		return -EPERM;
	}

	ret = misc_register(&contend_device);
	if (ret)
		return ret;
	pr_notice("loaded: CAP_SYS_RAWIO can make eventfd locks busy%s\n",
		  contend_in_vm() ? "" : " on this host");
	return 0;
}

static void __exit contend_exit(void)
{
	misc_deregister(&contend_device);
}

module_init(contend_init);
module_exit(contend_exit);

MODULE_LICENSE("GPL");
MODULE_VERSION(CONTEND_VERSION);
MODULE_AUTHOR("the msilat authors");
MODULE_DESCRIPTION("Contention on an eventfd's wait-queue lock, for msilat's lab");
